/** @module The programs that the build makes, and which of them holds a command. */
import { quickCommands } from "./quick-commands.ts";

/** Those of `commands/service`; a test holds the two together. */
const serviceCommands: readonly string[] = ["serve", "work"];

/** Paths the bundler leaves alone: the programs stand beside the launcher, and load only when they are needed. */
export function builtProgramOf(argv: readonly string[]): string {
  if (quickCommands.includes(argv.slice(0, 2).join(" "))) return "./quick.mjs";
  return serviceCommands.includes(argv[0] ?? "") ? "./service.mjs" : "./fettle.mjs";
}
