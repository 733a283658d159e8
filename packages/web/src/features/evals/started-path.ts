/** @module Where a launch leads: to its run, or to all that it started together. */
import { pagePath } from "../../pages/pages.ts";

export type Started = { runId: string } | { groupId: string };

export function startedPath(pid: string, started: Started): string {
  return "runId" in started
    ? pagePath("eval-run", { pid, erid: started.runId })
    : pagePath("eval-run-group", { pid, egid: started.groupId });
}
