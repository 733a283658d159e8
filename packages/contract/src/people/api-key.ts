/** @module API keys as the pages see them: never the key itself, except once at creation. */
import { z } from "zod";
import { limits } from "../core/limits/limits.ts";
import { Timestamp } from "../core/timestamp.ts";

export const ApiKey = z.object({
  id: z.string(),
  organizationId: z.string(),
  name: z.string(),
  redacted: z.string().describe("Enough to recognise it: `sk_…` and the last four characters"),
  createdBy: z.object({ userId: z.string(), name: z.string(), email: z.string() }),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
  expiresAt: Timestamp.nullable(),
  revokedAt: Timestamp.nullable(),
});
export type ApiKey = z.output<typeof ApiKey>;

export const ApiKeyCreateRequest = z.strictObject({
  name: z.string().trim().min(1).max(limits.accounts.nameLength),
  expiresInDays: z
    .int()
    .min(1)
    .max(limits.accounts.keyLifetimeDays)
    .nullable()
    .optional()
    .describe("Never, unless said"),
});

/** The only answer that carries the key. */
export const ApiKeyCreated = ApiKey.extend({ key: z.string() });
export type ApiKeyCreated = z.output<typeof ApiKeyCreated>;
