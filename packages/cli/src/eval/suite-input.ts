/** @module Reads a suite file from a path or from stdin, at most as much as one may hold. What cannot be read is a finding like any other. */

import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { exitCodes, limits } from "@fettle/contract/core";
import type { SuiteStage } from "@fettle/contract/evals";
import { isCreateBody, readSuite, type SuiteFile, type SuiteFinding, type SuiteReading } from "@fettle/evals";
import { CliError, usageError } from "../cli-error.ts";
import { whyUnreadable } from "../files/unreadable.ts";
import type { World } from "../world.ts";

export type SuiteInput =
  | {
      ok: true;
      file: string;
      bytes: Buffer;
      suite: SuiteFile;
      /** Where a case begins in the file. */
      lineOf(caseKey: string): number | undefined;
    }
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
    ? { ok: true, file, bytes, suite: reading.suite, lineOf: lineFinder(reading) }
    : { ok: false, file, bytes, stage: reading.stage, findings: reading.findings };
}

function lineFinder({ suite, locate }: Extract<SuiteReading, { ok: true }>) {
  return (caseKey: string) => {
    const at = suite.cases.findIndex(({ id }) => id === caseKey);
    return at < 0 ? undefined : locate(["cases", at])?.line;
  };
}

/** The same for a command that needs a suite: anything else is a mistake in how it was called. */
export async function readValidSuite(
  path: string,
  world: Pick<World, "stdin" | "cwd">,
): Promise<Extract<SuiteInput, { ok: true }>> {
  const input = await readSuiteInput(path, world);
  if (input.ok) return input;
  throw invalidFile(input);
}

function invalidFile({ file, findings, stage, bytes }: Extract<SuiteInput, { ok: false }>): CliError {
  if (bytes && isCreateBody(bytes)) {
    return usageError(`${file} is a body for creating a hosted suite; it has no schemaVersion.`, {
      hint: "Use `fettle cloud eval create --file`, or write a suite file: `fettle eval init`.",
    });
  }
  const [first] = findings;
  const where = first?.location ? ` at line ${first.location.line}` : "";
  const rest = findings.length > 1 ? ` (and ${findings.length - 1} more)` : "";
  return new CliError(
    first?.code ?? "SUITE_FILE_INVALID",
    `${file}${where}: ${[first?.pointer, first?.message].filter(Boolean).join(" ")}${rest}`,
    {
      details: { stage, findings },
      hint:
        stage === "input"
          ? "Draft a first one from a server with `fettle eval init`."
          : `See all with \`fettle eval validate --file ${file}\`.`,
      exitCode: exitCodes.usage,
    },
  );
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
