/** @module Reads a suite file from a path or from stdin, at most as much as one may hold. What cannot be read is a finding like any other. */

import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { limits, type SuiteStage } from "@fettle/contract";
import { readSuite, type SuiteFile, type SuiteFinding } from "@fettle/evals";
import { whyUnreadable } from "../files/unreadable.ts";
import type { World } from "../world.ts";

export type SuiteInput =
  | { ok: true; file: string; bytes: Buffer; suite: SuiteFile }
  | { ok: false; file: string; bytes?: Buffer; stage: SuiteStage; findings: SuiteFinding[] };

export async function readSuiteInput(path: string, world: Pick<World, "stdin" | "cwd">): Promise<SuiteInput> {
  const file = path === "-" ? "<stdin>" : path;
  let bytes: Buffer;
  try {
    bytes = path === "-" ? await readSome(world.stdin) : await readFileSome(resolve(world.cwd, path));
  } catch (error) {
    const message = `The file cannot be read: ${whyUnreadable(error)}.`;
    const finding: SuiteFinding = { code: "SUITE_FILE_UNREADABLE", path: [], pointer: "", message };
    return { ok: false, file, stage: "input", findings: [finding] };
  }
  const reading = readSuite(bytes);
  return reading.ok
    ? { ok: true, file, bytes, suite: reading.suite }
    : { ok: false, file, bytes, stage: reading.stage, findings: reading.findings };
}

async function readFileSome(path: string): Promise<Buffer> {
  await using handle = await open(path);
  return await readSome(handle.createReadStream({ autoClose: false }));
}

/** One byte more than allowed is enough to know. */
async function readSome(stream: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size > limits.suiteFile.maxBytes) break;
  }
  return Buffer.concat(chunks);
}
