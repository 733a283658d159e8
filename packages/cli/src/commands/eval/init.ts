/** @module `fettle eval init`: a first suite from a server's tools. */
import { access } from "node:fs/promises";
import { resolve } from "node:path";
import { exitCodes } from "@fettle/contract/core";
import { draftSuite, parseModelName, ruleModelId, writeSuite } from "@fettle/evals";
import { operationalError, usageError } from "../../cli-error.ts";
import { asUntold } from "../../connection/failure.ts";
import { withServer } from "../../connection/open-server.ts";
import { suggest } from "../../connection/suggest.ts";
import { draftedText, serverSlug, suiteComment } from "../../eval/draft-names.ts";
import { asUsage } from "../../eval/model-errors.ts";
import { writeAtomically } from "../../files/atomic-write.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines, style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { initFlags } from "./flags.ts";

export async function run(call: Call<typeof initFlags, NoArguments>): Promise<Outcome> {
  const { flags, world } = call;
  const { model = ruleModelId } = flags;
  const { kind } = await asUsage(async () => parseModelName(model));
  if (kind === "replay") {
    throw usageError(`"${model}" names a recording, and a suite names the model that is recorded.`, {
      hint: "Draft it with the model itself; `fettle eval run --cassette replay` then plays its recording.",
    });
  }
  return withServer(call, async ({ connection, deadline }) => {
    const serverName = flags.name ?? serverSlug(connection.serverInfo?.name);
    if (connection.capabilities.tools === undefined) {
      throw operationalError("The server has no tools, so there is nothing to draft from.");
    }
    const { items } = await connection.listTools({ signal: deadline.signal });
    const suite = draftSuite(items, {
      serverName,
      suiteId: `s_${serverSlug(serverName)}`,
      suiteName: `${serverName} first suite`.slice(0, 200),
      model,
    });
    const shown = flags.out ?? `.fettle/evals/${serverSlug(serverName)}.yaml`;
    const path = resolve(world.cwd, shown);
    if (!flags.force && (await exists(path))) {
      throw usageError(`${shown} is there already.`, {
        hint: "Replace it with --force, or name another with --out.",
      });
    }
    try {
      await writeAtomically(path, writeSuite(suite, suiteComment));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : cause;
      // As of a report that cannot be written: no verdict about anybody.
      throw operationalError(`${shown} could not be written: ${why}`, {
        hint: "Name another file with --out.",
        exitCode: exitCodes.incomplete,
        cause,
      });
    }
    const enabled = suite.cases.filter(({ disabled }) => disabled !== true).length;
    return {
      value: { path, suite: suite.suite, cases: suite.cases.length, enabledCases: enabled },
      human: () => lines([text`${style.green("✓")} Wrote ${style.bold(shown)}: ${draftedText(suite)}`]),
      hint: suggest(["eval", "run", "--file", shown]),
    };
  }).catch((error: unknown) => {
    throw asUntold(error);
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
