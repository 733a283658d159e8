/** @module An environment: one client, and what is pinned on top of it, that suites and journeys run against. */
import { z } from "zod";
import { limits } from "../limits.ts";
import { Timestamp } from "../timestamp.ts";

export const SkillSelection = z
  .object({
    mode: z.literal("explicit"),
    skillIds: z.array(z.string()).min(1).max(limits.environments.skillsPerEnvironment),
  })
  .meta({ id: "EnvironmentSkillSelection" });

const stack = {
  hostId: z.string().describe("The client it runs as"),
  serverAttachmentId: z
    .string()
    .optional()
    .describe("A pinned server group; absent: the client's own servers"),
  modelId: z.string().optional().describe("Absent: the client's own model"),
  skillSelection: SkillSelection.optional(),
  pluginVersionIds: z.array(z.string()).min(1).optional(),
  sandboxImageId: z.string().optional(),
};

const row = {
  id: z.string(),
  projectId: z.string(),
  description: z.string().optional(),
  ...stack,
  revision: z.int().describe("Sent back as the expected revision on every write"),
  archived: z.boolean(),
  archivedAt: Timestamp.optional(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const Environment = z
  .object({ ...row, name: z.string().describe("Unique among the project's live environments") })
  .meta({ id: "ProjectEnvironment" });
export type Environment = z.output<typeof Environment>;

/** Unnamed and content-addressed: the same stack is always the same environment. Never listed. */
export const AdhocEnvironment = z
  .object({ ...row, name: z.null(), adhoc: z.literal(true) })
  .meta({ id: "AdhocEnvironment" });
export type AdhocEnvironment = z.output<typeof AdhocEnvironment>;
