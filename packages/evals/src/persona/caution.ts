/** @module What tools may do besides reading, by what their servers say of them. Servers say it as hints, and where one says nothing the specification's default is the worst: not only reading, and possibly destroying. Pure. */
import type { Tool } from "@fettle/mcp";

type Hints = Partial<Record<"readOnlyHint" | "destructiveHint", unknown>>;

const hintsOf = ({ annotations }: Tool): Hints =>
  typeof annotations === "object" && annotations !== null ? annotations : {};

/** What destroys is asked only of what does not only read. */
export const mayChange = (tool: Tool): boolean => hintsOf(tool).readOnlyHint !== true;

/** One sentence to show beside a draft; undefined where every tool says that it only reads. */
export function cautionOf(tools: readonly Tool[]): string | undefined {
  const [worst] = tools.filter(mayChange).toSorted((one, other) => harmOf(other) - harmOf(one));
  if (!worst) return undefined;
  switch (harmOf(worst)) {
    case 2:
      return `May destroy something: the server says so of ${worst.name}.`;
    case 1:
      return `May change something: the server does not say what ${worst.name} does besides reading.`;
    default:
      return `May add something: ${worst.name} destroys nothing, its server says, but does more than read.`;
  }
}

function harmOf(tool: Tool): 0 | 1 | 2 {
  const { destructiveHint } = hintsOf(tool);
  return destructiveHint === true ? 2 : destructiveHint === false ? 0 : 1;
}
