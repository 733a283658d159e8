/** @module Labels of waves are callers' own, so that two projects may have the same: inside, a wave is known by its project, too. Pure. */
import type { InsightScope } from "@fettle/contract/insights";
import type { ScopeKey } from "./source.ts";

export const waveKey = ({ projectId, waveId }: { projectId: string; waveId: string }) =>
  `${projectId}:${waveId}`;

/** A scope of any kind, as callers know it. */
export function asCallersKnow<Scope extends ScopeKey | InsightScope>(projectId: string, scope: Scope): Scope {
  return scope.kind === "swarm_wave" ? { ...scope, id: scope.id.slice(projectId.length + 1) } : scope;
}
