/** @module `fettle init ci`: the surface's lock, a first suite, and a workflow that holds a server to them. */
import { resolve } from "node:path";
import { readSurface, writeLock } from "@fettle/checks";
import { draftSuite, ruleModelId, type SuiteFile, writeSuite } from "@fettle/evals";
import { exists, fettleInstall, serverInstall } from "../../ci/install.ts";
import { ciWorkflow } from "../../ci/workflow.ts";
import { usageError } from "../../cli-error.ts";
import { asUntold } from "../../connection/failure.ts";
import { withServer } from "../../connection/open-server.ts";
import { draftedText, serverSlug, suiteComment } from "../../eval/draft-names.ts";
import { writeOutFile } from "../../output/out-file.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines, style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { defaultLockFile } from "../server/flags.ts";
import type { ciFlags } from "./flags.ts";

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
    const { files = [], commands = [], ...install } = await fettleInstall(world.cwd);
    for (const { path, content } of files) await write(path, async () => content);
    const content = ciWorkflow({
      ...install,
      installServer: flags.url === undefined ? await serverInstall(world.cwd) : [],
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
      value: {
        written,
        kept,
        ...(drafted && { drafted: draftFacts(drafted) }),
        ...(commands.length > 0 && { beforeFirstRun: commands }),
      },
      human: () =>
        lines([
          ...written.map((path) =>
            path === suite && drafted
              ? text`${style.green("✓")} Wrote ${style.bold(path)}: ${draftedText(drafted)}`
              : text`${style.green("✓")} Wrote ${style.bold(path)}`,
          ),
          ...kept.map((path) => text`${style.dim("–")} Kept ${style.bold(path)}`),
          ...(commands.length === 0
            ? []
            : [
                text`${style.yellow("!")} This repository doesn't name Fettle in its package.json, so the workflow installs the copy in .fettle. Pack it once, and commit it:`,
                ...commands.map((command) => text`    ${command}`),
              ]),
        ]),
      hint: "Review the files, adapt the suite, and commit them all.",
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
