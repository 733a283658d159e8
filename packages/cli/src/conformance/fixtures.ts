/** @module What the operator says may be executed on a server, from a file and from flags. */

import type { Fixtures } from "@fettle/checks";
import * as z from "zod";
import type { Input } from "../input/input.ts";
import { parseWith } from "../input/parse-with.ts";

const name = z.string().trim().min(1);

export const fixturesSchema = z.strictObject({
  toolCalls: z
    .array(z.strictObject({ toolName: name, arguments: z.record(z.string(), z.unknown()).default({}) }))
    .default([]),
  promptGets: z
    .array(z.strictObject({ promptName: name, arguments: z.record(z.string(), z.string()).default({}) }))
    .default([]),
});

export interface FixtureFlags {
  fixturesFile: string | undefined;
  fixtureTool: string[];
  fixturePrompt: string[];
}

export async function readFixtures(input: Input, flags: FixtureFlags): Promise<Fixtures> {
  const { fixturesFile } = flags;
  const document =
    fixturesFile === undefined
      ? {}
      : await input.jsonObject("--fixtures-file", fixturesFile === "-" ? "-" : `@${fixturesFile}`);
  const { toolCalls, promptGets } = parseWith(fixturesSchema, document, "--fixtures-file");
  return {
    toolCalls: [...toolCalls, ...flags.fixtureTool.map((toolName) => ({ toolName, arguments: {} }))],
    promptGets: [...promptGets, ...flags.fixturePrompt.map((promptName) => ({ promptName, arguments: {} }))],
  };
}
