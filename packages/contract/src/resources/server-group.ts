/** @module A server group: an immutable snapshot of a set of saved servers, which an environment may pin. */
import { z } from "zod";
import { Timestamp } from "../timestamp.ts";

export const ServerGroup = z
  .object({
    id: z.string(),
    name: z.string(),
    serverIds: z.array(z.string()).describe("Authoritative; never changes"),
    serverNames: z.array(z.string()).describe("Follow renames, in the order of the ids"),
    description: z.string().optional(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "ServerGroup" });
export type ServerGroup = z.output<typeof ServerGroup>;
