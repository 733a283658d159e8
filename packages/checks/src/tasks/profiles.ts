/** @module Which checks of tasks count, by date. A date that was published never changes; what changes goes into a new one. */
import type { Profile } from "../verdict/profile.ts";

const of20261115 = [
  "tasks-cancel-ack-shape",
  "tasks-declaration-hygiene",
  "tasks-durable-create",
  "tasks-failed-vs-completed",
  "tasks-inline-result",
  "tasks-input-required-update-completes",
  "tasks-invalid-task-id-rejected",
  "tasks-legacy-param-ignored",
  "tasks-mcp-name-routing",
  "tasks-mrtr-before-create",
  "tasks-no-early-expiry",
  "tasks-no-related-task-meta",
  "tasks-no-request-state",
  "tasks-partial-input",
  "tasks-per-request-opt-in",
  "tasks-removed-methods",
  "tasks-result-type-discipline",
  "tasks-status-notifications",
  "tasks-status-payload-shape",
  "tasks-ttl-integer-shape",
  "tasks-ttl-shape",
  "tasks-undeclared-capability-names-requirements",
  "tasks-undeclared-capability-rejected",
  "tasks-undeclared-creation-refused",
  "tasks-wire-resolvable",
];

/** Rules are weighed by their own words since, and our own requests no longer count for the server. */
const of20261116 = [
  ...of20261115.filter((id) => id !== "tasks-declaration-hygiene"),
  "tasks-get-result-type",
  "tasks-starts-working",
];

/** In order of their dates; the last is the one in use. */
export const tasksProfiles: readonly [Profile, ...Profile[]] = [
  { id: "mcp-tasks", version: "2026-11-15", scoredCheckIds: of20261115 },
  { id: "mcp-tasks", version: "2026-11-16", scoredCheckIds: of20261116 },
];
