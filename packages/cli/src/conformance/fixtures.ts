/** @module What the operator says may be executed on a server, from a file and from flags. */
import type { Fixtures } from "@fettle/checks";
import { limits } from "@fettle/contract";
import * as z from "zod";
import { usageError } from "../cli-error.ts";
import type { Input } from "../input/input.ts";

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

/** A wait that a file asks for, in milliseconds. */
export const waitMs = z.int().positive().max(limits.waitMs);

/** The parsed document, or a usage error that names the place that is wrong. */
export function parseWith<T>(schema: z.ZodType<T>, document: unknown, where: string): T {
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.map(String).join(".") ?? "";
  throw usageError(`${where}${path === "" ? "" : `: ${path}`}: ${issue?.message ?? "not valid"}.`);
}
