/** @module How many columns a text takes on screen, and where it may be cut. Expects text that was made visible. */
import { eastAsianWidth } from "get-east-asian-width";

/** One column each: what we write ourselves, so that most texts are measured by their length. */
const narrow = /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u25ff\u2713\u2717]*$/;

export function widthOfString(text: string): number {
  if (narrow.test(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemesOf(text)) width += widthOfGrapheme(grapheme);
  return width;
}

let segmenter: Intl.Segmenter | undefined;

/** What a reader takes for one character: a letter with its accents, an emoji with its joiners. */
export function* graphemesOf(text: string): Generator<string> {
  // Made when first needed: it takes 20 ms, more than most commands.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

export function widthOfGrapheme(grapheme: string): number {
  if (grapheme.length > 1 && /^\p{RGI_Emoji}$/v.test(grapheme)) return 2;
  const visible = grapheme.replace(/[\p{Nonspacing_Mark}\p{Enclosing_Mark}]/gu, "");
  const base = visible.codePointAt(0);
  return base === undefined ? 0 : eastAsianWidth(base);
}
