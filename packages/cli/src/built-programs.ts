/** @module The programs that the build makes, and which of them holds a command. */
import { smallPrograms } from "./small-programs.ts";

/** Those of `commands/service`; a test holds the two together. */
const serviceCommands: readonly string[] = ["serve", "work"];

/** Paths the bundler leaves alone: the programs stand beside the launcher, and load only when they are needed. */
export function builtProgramOf(argv: readonly string[]): string {
  const words = argv.slice(0, 2).join(" ");
  const small = Object.keys(smallPrograms).find((name) => smallPrograms[name]?.includes(words));
  if (small !== undefined) return `./${small}.mjs`;
  return serviceCommands.includes(argv[0] ?? "") ? "./service.mjs" : "./fettle.mjs";
}
