/** @module How rule personas speak. A style changes manner, never matter: names, numbers, addresses and quoted words stay to the letter. Pure. */

export const speakingStyles = ["terse", "polite", "rambling", "typo-prone", "non-native"] as const;
export type SpeakingStyle = (typeof speakingStyles)[number];

/** Quoted words, addresses, what holds a digit, and what is written like a name. */
const matter =
  /"[^"]*"|“[^”]*”|'[^'\s][^']*'|`[^`]*`|\S+@\S+|\w+:\/\/\S+|\S*\d\S*|(?<=\S\s+)\p{Lu}[\p{L}\p{N}_-]*|\p{L}+[_-]\p{L}[\p{L}_-]*/gu;

/** Rewrites only what lies between the parts that must stay. */
function between(text: string, rewrite: (part: string) => string): string {
  let told = "";
  let from = 0;
  for (const found of text.matchAll(matter)) {
    told += rewrite(text.slice(from, found.index)) + found[0];
    from = found.index + found[0].length;
  }
  return told + rewrite(text.slice(from));
}

/**
 * Speaks a wish, which is a sentence in the first person or an order without its end.
 *
 * @example
 * speak("polite", "find a book about bees") // "Hello! I would like to find a book about bees. Could you help me with that, please?"
 */
export function speak(style: SpeakingStyle, wish: string): string {
  switch (style) {
    case "terse":
      return wish;
    case "polite":
      return `Hello! I would like to ${wish}. Could you help me with that, please?`;
    case "rambling":
      return `So, I have been putting this off for a while, and now I finally sat down to it. I want to ${wish}. I hope that makes sense, it usually takes me a while to get to the point.`;
    case "typo-prone":
      return between(`i want to ${wish}`, (part) => part.replace(/\b[a-z]{5,}\b/g, everyOther(slip)));
    case "non-native":
      return between(`Please, I want ${wish}`, (part) => part.replace(/\b(?:an?|the)\s+/gi, ""));
  }
}

/** The second and third letter change places, as they do under fast fingers. */
const slip = (word: string) => `${word[0]}${word[2]}${word[1]}${word.slice(3)}`;

function everyOther(change: (word: string) => string): (word: string) => string {
  let count = 0;
  return (word) => (count++ % 2 === 0 ? change(word) : word);
}
