/**
 * @module The program of `fettle serve` and `fettle work`: their declarations alone, so that a start does not read those of two hundred
 * other commands first. Help and mistakes are for the whole program, which knows what else could be meant.
 */
import { serviceCommands } from "./commands/service/index.ts";
import { group } from "./program/command.ts";
import { parse } from "./program/parse.ts";
import { buildTree } from "./program/tree.ts";
import { runInProcess } from "./run-in-process.ts";
import { keepYoungSpaceSmall } from "./start-memory.ts";

const tree = buildTree(group({ name: "", section: "cli", summary: "Runs the service." }), serviceCommands);

export async function main(argv: readonly string[]): Promise<void> {
  if (isCall(argv)) {
    keepYoungSpaceSmall();
    return runInProcess(tree, argv);
  }
  const whole = await import("./main.ts");
  return whole.main(argv);
}

function isCall(argv: readonly string[]): boolean {
  try {
    return parse(tree, argv).kind === "call";
  } catch {
    return false;
  }
}
