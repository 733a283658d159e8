/** @module `cloud organizations audit`: who did what in an organization, when and from where. */
import { auditLimits } from "@fettle/contract/notices";
import { usageError } from "../../cli-error.ts";
import { operationCommand } from "../../cloud/operation-command.ts";
import { cursor, limitOf } from "../../cloud/paging-flags.ts";
import { flags } from "../../program/flag.ts";

const audit = "fettle cloud organizations audit";

const momentFlags = flags({
  since: { kind: "text", value: "time", help: "From then on, such as 2026-11-01 or 2026-11-01T09:00Z" },
  until: { kind: "text", value: "time", help: "Before then" },
});

export const cloudAuditCommands = [
  operationCommand({
    operation: "listAuditLog",
    name: "cloud organizations audit",
    summary: "List who did what, when and from where",
    description: ["The latest first: what changed something, and sign-ins. For owners of the organization."],
    asks: ({ org }) => `organization ${org}`,
    flags: {
      org: {
        parameter: "organizationId",
        find: "organization",
        value: "id-or-name",
        help: "The organization",
      },
      action: { field: "action", help: "Only this, such as deleteProject" },
      user: { field: "userId", value: "id", help: "Only by this person" },
      "in-project": { field: "projectId", value: "id", help: "Only in this project" },
      ...momentFlags,
      limit: limitOf(auditLimits.listed),
      cursor,
    },
    body: ({ flags: { since, until } }, fields) => ({
      // All of it may be very long.
      limit: auditLimits.listed.fallback,
      ...fields,
      ...(since !== undefined && { since: momentOf("since", since) }),
      ...(until !== undefined && { until: momentOf("until", until) }),
    }),
    examples: {
      "The latest": `${audit} --org Acme`,
      "Which projects were deleted": `${audit} --org Acme --action deleteProject`,
    },
    shows: {
      noun: "entry",
      table: {
        AT: ({ at }) => new Date(at).toISOString(),
        WHO: ({ by }) => by?.name ?? "-",
        WHAT: "what",
        TARGET: ({ targetName, targetId }) => targetName ?? targetId ?? "-",
        WAY: "way",
        FROM: ({ ipAddress }) => ipAddress ?? "-",
      },
      shrinks: ["WHO", "WHAT", "TARGET"],
    },
  }),
];

function momentOf(flag: string, typed: string): number {
  const moment = Date.parse(typed);
  if (Number.isNaN(moment)) {
    throw usageError(`--${flag} is no time: ${typed}.`, { hint: "Such as 2026-11-01 or 2026-11-01T09:00Z." });
  }
  return moment;
}
