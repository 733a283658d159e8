/** @module The audit log: who did what in an organization, when and from where. */
import { z } from "zod";
import { idOf } from "../core/id-of.ts";
import { page, pageQuery } from "../core/page.ts";
import { latestMoment, Timestamp } from "../core/timestamp.ts";
import { auditWays } from "./audit-ways.ts";
import { auditLimits } from "./limits.ts";

export const AuditEntry = z
  .object({
    id: z.string(),
    at: Timestamp,
    action: z
      .string()
      .describe(
        "The operation that was called, or `signIn`, `signInFailed`, `adminSignInLink`, `adminSignOut`",
      ),
    what: z.string().describe("The same in words"),
    by: z
      .object({ userId: z.string(), name: z.string() })
      .nullable()
      .describe("The name they had then; null when it was nobody known"),
    way: z
      .enum(auditWays)
      .describe(
        "Signed in on the pages, signed in on the command line, by an API key, or by `fettle admin` on the machine itself",
      ),
    keyId: z.string().nullable().describe("The API key it was done with"),
    ipAddress: z.string().nullable(),
    projectId: z.string().nullable(),
    targetId: z.string().nullable().describe("What it was done to"),
    targetName: z.string().nullable().describe("The name that had then"),
    fields: z.array(z.string()).describe("What was sent, by name; values are not kept"),
    detail: z.record(z.string(), z.string()).describe("The few values that are kept, such as a role"),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.output<typeof AuditEntry>;

export const AuditPage = page(AuditEntry)
  .extend({ keptDays: z.int().describe("Older entries are removed") })
  .meta({ id: "AuditPage" });
export type AuditPage = z.output<typeof AuditPage>;

export const AuditQuery = pageQuery(auditLimits.listed).extend({
  action: z.string().max(auditLimits.actionLength).optional(),
  userId: idOf<"user">().optional().describe("Of this person alone"),
  projectId: idOf<"project">().optional().describe("In this project alone"),
  since: z.coerce.number().int().min(0).max(latestMoment).optional().describe("From this moment on"),
  until: z.coerce.number().int().min(0).max(latestMoment).optional().describe("Before this moment"),
});
export type AuditQuery = z.output<typeof AuditQuery>;
