/** @module `fettle cloud eval export`: writes a hosted suite to a file that says all of it, or names what no file can say and writes nothing. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { exitCodes } from "@fettle/contract/core";
import { CliError, usageError } from "../../../cli-error.ts";
import { findEnvironment } from "../../../cloud/find-environment.ts";
import { finders } from "../../../cloud/finders.ts";
import { inProject } from "../../../cloud/in-project.ts";
import type { Place } from "../../../eval/hosted-target.ts";
import { exportSuite, type Hosted } from "../../../eval/suite-export.ts";
import { writeAtomically } from "../../../files/atomic-write.ts";
import type { Outcome } from "../../../output/printer.ts";
import { shellWords } from "../../../output/shell-words.ts";
import { count } from "../../../output/table.ts";
import { lines, style, text } from "../../../output/text.ts";
import type { Call, NoArguments } from "../../../program/command.ts";
import type { exportFlags } from "./suites-flags.ts";

export async function run(call: Call<typeof exportFlags, NoArguments>): Promise<Outcome> {
  const { flags, world } = call;
  const place = await inProject(call);
  const { id: suiteId } = await (await finders.suite(place))(flags.suite);
  const hosted = await readHosted(place, suiteId);
  const { name } = hosted.suite;
  const exported = exportSuite(hosted);
  if (!exported.ok) {
    const { findings } = exported;
    return {
      value: { exported: false, path: null, suite: { id: suiteId, name }, findings },
      human: () =>
        lines([
          ...findings.map(
            ({ pointer, message, code }) =>
              text`${style.red("✗")} ${style.bold(pointer || "file")} ${message} ${style.dim(code)}`,
          ),
          text`\n${style.bold(name)} says more than a file can: nothing was written.`,
        ]),
      exitCode: exitCodes.failed,
    };
  }
  const path = flags.out ?? `.fettle/evals/${exported.id}.yaml`;
  const target = resolve(world.cwd, path);
  if (!flags.force && (await stat(target).catch(() => undefined))) {
    throw usageError(`${path} is there already.`, {
      hint: "Replace it with --force, or name another with --out.",
    });
  }
  await writeAtomically(target, exported.text).catch((cause) => {
    throw new CliError("OUT_WRITE_FAILED", `${path} could not be written: ${cause.message}`, {
      cause,
      hint: "Name another file with --out.",
    });
  });
  const cases = hosted.cases.length;
  const bytes = Buffer.byteLength(exported.text);
  return {
    value: { exported: true, path, suite: { id: suiteId, name }, cases, bytes },
    human: () =>
      text`${style.green("✓")} Wrote ${style.bold(path)}: ${count(cases, "case")}, ${count(bytes, "byte")}`,
    hint: text`Run it with ${style.cyan(shellWords(["fettle", "cloud", "eval", "run", "--file", path]))}: ${ownership(hosted)}`,
  };
}

/** Which suite a run of the file changes: one that a person made is never taken over by a file. */
function ownership({ suite: { origin } }: Hosted): string {
  return origin === "file"
    ? "it updates this suite, which the file owns."
    : "it makes a suite of its own, which the file owns; this one stays as it is.";
}

async function readHosted(place: Place, suiteId: string): Promise<Hosted> {
  const { client, projectId } = place;
  const suite = await client.getEvalSuite({ projectId, suiteId });
  const { items: cases, nextCursor } = await client.listEvalCases({ projectId, suiteId });
  if (nextCursor !== undefined) {
    throw new CliError("SUITE_FILE_TRUNCATED", "The suite has more cases than one answer holds.", {
      exitCode: exitCodes.usage,
      hint: "Divide the suite, and export its parts.",
    });
  }
  const [only] = suite.environmentIds;
  const environment =
    only === undefined ? undefined : await findEnvironment(client, projectId, only).catch(() => undefined);
  const { items: servers } = await client.listProjectServers({ projectId });
  return {
    suite,
    cases,
    environmentName: environment?.name ?? null,
    serverNames: new Map(servers.map(({ id, name }) => [id, name])),
  };
}
