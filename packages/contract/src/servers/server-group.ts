/** @module A server group: an immutable snapshot of a set of saved servers, which an environment may pin. */
import { z } from "zod";
import { idOf } from "../core/id-of.ts";
import { limits } from "../core/limits/limits.ts";
import { Timestamp } from "../core/timestamp.ts";

export const ServerGroup = z
  .object({
    id: z.string(),
    name: z.string(),
    serverIds: z.array(z.string()).describe("Authoritative; never changes"),
    serverNames: z
      .array(z.string())
      .describe("As they were called when the group was made, in the order of the ids"),
    description: z.string().optional(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "ServerGroup" });
export type ServerGroup = z.output<typeof ServerGroup>;

export const ServerGroupCreateRequest = z
  .strictObject({
    name: z.string().trim().min(1).max(limits.text.nameLength),
    serverIds: z.array(idOf<"server">()).min(1).max(limits.serverGroups.servers),
    description: z.string().max(limits.text.descriptionLength).nullable().optional(),
  })
  .meta({ id: "ServerGroupCreateRequest" });
export type ServerGroupCreateRequest = z.output<typeof ServerGroupCreateRequest>;
