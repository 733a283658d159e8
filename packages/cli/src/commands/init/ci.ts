/** @module `fettle init ci`: the surface's lock, a first suite, and a workflow that holds a server to them. */
import { access } from "node:fs/promises";
import { resolve } from "node:path";
import { readSurface, writeLock } from "@fettle/checks";
import { draftSuite, ruleModelId, type SuiteFile, writeSuite } from "@fettle/evals";
import { usageError } from "../../cli-error.ts";
import { asUntold } from "../../connection/failure.ts";
import { withServer } from "../../connection/open-server.ts";
import { ciWorkflow } from "../../eval/ci-workflow.ts";
import { draftedText, serverSlug, suiteComment } from "../../eval/draft-names.ts";
import { writeOutFile } from "../../output/out-file.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines, style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { defaultLockFile } from "../server/index.ts";
import type { ciFlags } from "./index.ts";

export async function run(call: Call<typeof ciFlags, NoArguments>): Promise<Outcome> {
  const { flags, world } = call;
  const workflow = flags.out ?? ".github/workflows/fettle.yml";
  if (!flags.force && (await exists(resolve(world.cwd, workflow)))) {
    throw usageError(`${workflow} is there already.`, {
      hint: "Replace it with --force, or name another with --out.",
    });
  }
  return withServer({ ...call, flags: { ...nothingElse, ...flags } }, async ({ connection, deadline }) => {
    const { signal } = deadline;
    const name = flags.name ?? serverSlug(connection.serverInfo?.name);
    const suite = `.fettle/evals/${serverSlug(name)}.yaml`;
    const written: string[] = [];
    const kept: string[] = [];
    const write = async (path: string, content: () => Promise<string>) => {
      if (await exists(resolve(world.cwd, path))) {
        kept.push(path);
        return;
      }
      await writeOutFile(world, path, await content());
      written.push(path);
    };
    await write(defaultLockFile, async () => writeLock(await readSurface(connection, { skip: [], signal })));
    let drafted: SuiteFile | undefined;
    const hasTools = connection.capabilities.tools !== undefined;
    if (hasTools) {
      await write(suite, async () => {
        const { items } = await connection.listTools({ signal });
        drafted = draftSuite(items, {
          serverName: name,
          suiteId: `s_${serverSlug(name)}`,
          suiteName: `${name} first suite`.slice(0, 200),
          model: ruleModelId,
        });
        return writeSuite(drafted, suiteComment);
      });
    }
    const content = ciWorkflow({
      target:
        flags.url === undefined
          ? ["--command", flags.command ?? "", ...flags.args.map((word) => `--args=${word}`)]
          : ["--url", flags.url],
      hasToken: flags.accessToken !== undefined,
      lock: defaultLockFile,
      ...(hasTools && { suite }),
    });
    await writeOutFile(world, workflow, content);
    written.push(workflow);
    return {
      value: { written, kept, ...(drafted && { drafted: draftFacts(drafted) }) },
      human: () =>
        lines([
          ...written.map((path) =>
            path === suite && drafted
              ? text`${style.green("✓")} Wrote ${style.bold(path)}: ${draftedText(drafted)}`
              : text`${style.green("✓")} Wrote ${style.bold(path)}`,
          ),
          ...kept.map((path) => text`${style.dim("–")} Kept ${style.bold(path)}`),
        ]),
      hint: "Look at them, make the suite yours, and commit all of them.",
    };
  }).catch((error: unknown) => {
    throw asUntold(error);
  });
}

function draftFacts({ cases }: SuiteFile) {
  return { cases: cases.length, enabledCases: cases.filter(({ disabled }) => disabled !== true).length };
}

/** The connection flags that a workflow does not write down, because they may hold secrets of this machine. */
const nothingElse = {
  oauthAccessToken: undefined,
  refreshToken: undefined,
  clientId: undefined,
  clientSecret: undefined,
  credentialsFile: undefined,
  header: [],
  commandArgs: [],
  env: [],
  cwd: undefined,
  transport: undefined,
  protocolVersion: undefined,
  clientCapabilities: undefined,
};

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
