/**
 * @module The first page of help as the build has written it, printed without loading what makes it. For the widths that are usual;
 * for any other, and for every other page, there is the help program.
 */
import { wantsColour } from "./output/colour.ts";
import { sayWhenUnwritable } from "./output/unwritable.ts";

/** Of a stream that is no terminal, and of a terminal; the page grows no wider than the last. */
export const firstPageWidths = [80, 100] as const;

/** By width, without and with colour. */
export type FirstPages = Record<string, { plain: string; coloured: string }>;

/** Beside the launcher. */
export const firstPageFile = "first-page.json";

/** False where the page is not there in this width. */
export function showFirstPage(folder: string): boolean {
  const { stdout, env } = process;
  const { columns = 80 } = stdout;
  const width = firstPageWidths.findLast((each) => (each === 100 ? columns >= each : columns === each));
  if (width === undefined) return false;
  const pages = read(`${folder}/${firstPageFile}`);
  const page = pages?.[width];
  if (!page) return false;
  sayWhenUnwritable({ asJson: false });
  stdout.write(wantsColour({ isTerminal: stdout.isTTY === true, env }) ? page.coloured : page.plain);
  return true;
}

function read(path: string): FirstPages | undefined {
  // Taken here and not imported: a module of Node's that is imported brings all that stands behind its names.
  const { readFileSync } = process.getBuiltinModule("node:fs");
  try {
    return JSON.parse(readFileSync(path, "utf8")) as FirstPages;
  } catch {
    return undefined;
  }
}
