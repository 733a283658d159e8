/** @module A watched sign-in as its owner is shown it: the flow's own record, judged. Secrets are already gone from it. */
import { judgeSignIn, type OauthStep } from "@fettle/checks";
import type { Flow } from "@fettle/mcp";
import type { ShownWalk } from "./sealed-walk.ts";

export async function toShownWalk(
  { run, gains, paused }: Flow,
  { serverUrl, claimsClientSecret }: { serverUrl: string; claimsClientSecret: boolean },
): Promise<ShownWalk> {
  const stages = await judgeSignIn({ run, gains }, { serverUrl, authMode: "interactive" });
  const { plan, failure } = run;
  return {
    state: run.completed
      ? "signed_in"
      : failure
        ? "failed"
        : paused?.authorizationUrl === undefined
          ? "open"
          : "awaiting_person",
    protocolVersion: run.protocolVersion,
    registration: run.registration ?? null,
    issuer: plan.issuer ?? null,
    scopes: plan.scope?.split(" ") ?? [],
    clientId: plan.clientId ?? null,
    authorizationUrl: paused?.authorizationUrl ?? null,
    claimsClientSecret: claimsClientSecret && plan.issuer !== undefined,
    failure: failure
      ? { message: failure.message, ...(failure.hint !== undefined && { hint: failure.hint }) }
      : null,
    stages: stages.map((stage) => ({ ...stage, steps: stage.steps.map(toStep) })),
  };
}

function toStep(step: OauthStep): ShownWalk["stages"][number]["steps"][number] {
  const { logs, httpAttempts, warnings = [], teachableMoments = [] } = step;
  return {
    step: step.step,
    title: step.title,
    summary: step.summary,
    status: step.status,
    ...(step.skipReason && { skipReason: step.skipReason }),
    durationMs: step.durationMs,
    decisions: logs.flatMap((log) =>
      log.kind === "decision"
        ? [{ about: log.about, offered: log.offered, picked: log.picked, why: log.why }]
        : [],
    ),
    notes: logs.flatMap((log) => (log.kind === "note" ? [log.message] : [])),
    warnings,
    hints: teachableMoments,
    exchanges: httpAttempts.map(({ kind: _always, ...exchange }) => exchange),
  };
}
