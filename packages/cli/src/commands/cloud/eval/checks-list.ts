/** @module `fettle cloud eval checks list`: which repositories run which suite, and which could. */
import { inProject } from "../../../cloud/in-project.ts";
import type { Outcome } from "../../../output/printer.ts";
import { table } from "../../../output/table.ts";
import { lines, style, type Text, text } from "../../../output/text.ts";
import type { Call, NoArguments } from "../../../program/command.ts";
import type { checksListFlags } from "./checks-flags.ts";

export async function run(call: Call<typeof checksListFlags, NoArguments>): Promise<Outcome> {
  const { client, project } = await inProject(call);
  const answer = await client.listEvalCheckRepos({ organizationId: project.organizationId });
  const { available, items, connectable } = answer;
  const columns = [{ header: "REPOSITORY" }, { header: "SUITE" }, { header: "OUTAGE" }, { header: "STATE" }];
  const rows = items.map(({ repo, suiteId, outagePolicy, enabled }) => [
    style.bold(repo),
    suiteId ?? "-",
    outagePolicy ?? "-",
    enabled ? style.green("on") : style.dim("paused"),
  ]);
  return {
    value: answer,
    human: ({ width }) =>
      available
        ? lines([
            rows.length === 0 ? text`No repository runs a suite yet.` : table(columns, rows, width),
            others(connectable),
          ])
        : text`This deployment is not connected to a code host, so pull requests run nothing.`,
  };
}

function others(connectable: readonly { repo: string }[] | null): Text {
  if (connectable === null) return style.yellow("The code host could not be asked which others there are.");
  return style.dim(
    connectable.length === 0
      ? "The app can reach no other repository."
      : `Could be connected: ${connectable.map(({ repo }) => repo).join(", ")}`,
  );
}
