/** @module What was found in a wave, with how its launches went beside it. */
import type { InsightsEnvelope } from "@fettle/contract";
import type { App } from "../../app.ts";
import { readEnvelope } from "../../insights/envelope.ts";
import { countsOf } from "../reads.ts";
import * as store from "../store.ts";
import { waveKey } from "./source.ts";

export async function readWaveInsights(app: App, run: store.RunRow): Promise<InsightsEnvelope> {
  const frozen = await store.readFrozen(app.db, run.id);
  const attempts = await store.listAttempts(app.db, [run.id]);
  const envelope = await readEnvelope(app, {
    scope: { kind: "swarm_wave", id: waveKey(run), runId: run.id },
    total: run.sessionsTotal,
    unasked: run.status === "running" ? "run_not_terminal" : "not_requested",
  });
  const targets = (frozen?.places ?? []).map(({ target }, at) => {
    const { succeeded, failed, rate_limited } = countsOf(
      attempts.filter(({ targetIndex }) => targetIndex === at),
    );
    return {
      subjectKind: target.kind,
      subjectId: target.id,
      subjectLabel: target.name,
      attempted: succeeded + failed + rate_limited,
      succeeded,
      failed,
      rateLimited: rate_limited,
    };
  });
  // Inside, a wave is known by its project, too; callers know it by their own label.
  return { ...envelope, scope: { ...envelope.scope, id: run.waveId }, runHealth: { targets } };
}
