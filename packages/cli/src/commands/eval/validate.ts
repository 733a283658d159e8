/** @module `fettle eval validate`: is this a suite file? Offline: no client, no key, no network. */
import { validateFile } from "../../eval/validate-file.ts";
import type { Outcome } from "../../output/printer.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { validateFlags } from "./flags.ts";

export async function run({ flags, world }: Call<typeof validateFlags, NoArguments>): Promise<Outcome> {
  return (await validateFile(flags.file, world)).outcome;
}
