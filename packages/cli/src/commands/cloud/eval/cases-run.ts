/** @module `fettle cloud eval cases run`: one case of a suite as a run of its own, against one target. */
import { inProject } from "../../../cloud/in-project.ts";
import { readCompose } from "../../../eval/compose.ts";
import { launch } from "../../../eval/hosted-launch.ts";
import { refuseMixedTargets } from "../../../eval/hosted-target.ts";
import type { Outcome } from "../../../output/printer.ts";
import { style, text } from "../../../output/text.ts";
import type { Call, NoArguments } from "../../../program/command.ts";
import type { casesRunFlags } from "./cases-flags.ts";

const one = (value: string | undefined) => (value === undefined ? [] : [value]);

export async function run(call: Call<typeof casesRunFlags, NoArguments>): Promise<Outcome> {
  const { flags, world } = call;
  const target = {
    server: flags.server,
    environment: one(flags.environment),
    host: one(flags.host),
    allTargets: false,
    compose: readCompose(flags),
  };
  refuseMixedTargets(target);
  const place = await inProject(call);
  const receipt = await launch(
    place,
    {
      from: { suite: flags.suite },
      target,
      cases: [flags.case],
      iterations: flags.iterations,
      excludeSkills: false,
      refreshSnapshot: false,
      notes: undefined,
      minPassRate: undefined,
      matchOptions: undefined,
      idempotencyKey: flags.idempotencyKey,
      approvals: undefined,
    },
    world,
  );
  const { project, suite, cases, composed, runId, status, servers, environment, deduped } = receipt;
  const [started] = receipt.targets;
  return {
    value: {
      project,
      suite,
      case: cases?.[0],
      servers,
      environment,
      ...(started?.host && { host: started.host }),
      ...(composed && { composed }),
      runId,
      status,
      ...(deduped !== undefined && { deduped }),
      viewUrl: started?.viewUrl,
    },
    human: () => text`View: ${started?.viewUrl ?? ""}${deduped ? style.dim(" (started before)") : ""}`,
    hint: style.cyan(`fettle cloud eval gate --run ${runId} --wait`),
  };
}
