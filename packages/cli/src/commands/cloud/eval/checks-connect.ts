/** @module `fettle cloud eval checks connect`: runs a suite on every pull request to a repository. */
import { finders } from "../../../cloud/finders.ts";
import { inProject } from "../../../cloud/in-project.ts";
import type { Outcome } from "../../../output/printer.ts";
import { style, text } from "../../../output/text.ts";
import type { Call, NoArguments } from "../../../program/command.ts";
import type { checksConnectFlags } from "./checks-flags.ts";

export async function run(call: Call<typeof checksConnectFlags, NoArguments>): Promise<Outcome> {
  const { suite: selector, repo, outagePolicy } = call.flags;
  const place = await inProject(call);
  const { client, project, projectId } = place;
  const suite = await (await finders.suite(place))(selector);
  const connected = await client.connectEvalCheckRepo({
    organizationId: project.organizationId,
    body: { projectId, suiteId: suite.id, repo, outagePolicy },
  });
  const told = outagePolicy === "fail_open" ? "lets them pass" : "holds them back";
  return {
    value: connected,
    human: () =>
      text`${style.green("✓")} Pull requests to ${style.bold(connected.repo)} run ${suite.name ?? suite.id}; an outage ${told}`,
    hint: "fettle cloud eval checks list",
  };
}
