/** @module Where a conformance run is looked at. */
import type { RunRow } from "./store.ts";

export function pageOfRun(origin: string, { projectId, id }: Pick<RunRow, "projectId" | "id">): string {
  return `${origin}/p/${projectId}/conformance/${id}`;
}
