/** @module A skill: instructions in a SKILL.md that a model can be given, a person's draft or shared with the project. */
import { z } from "zod";
import { Timestamp } from "../timestamp.ts";

export const Pinnability = z
  .union([
    z.object({ ok: z.literal(true) }),
    z.object({
      ok: z.literal(false),
      code: z.enum(["PERSONAL_SKILL", "SUPPORTING_FILES", "EXTRA_FRONTMATTER", "PLUGIN_COMPONENT"]),
      reason: z.string(),
    }),
  ])
  .describe("Whether an environment may pin it, and if not, why")
  .meta({ id: "SkillPinnability" });
export type Pinnability = z.output<typeof Pinnability>;

export const Skill = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: z.string(),
    description: z.string(),
    sharing: z.enum(["user", "project"]),
    isOwner: z.boolean(),
    aggregateHash: z.string().describe("Digest of all its files"),
    provenance: z.literal("authored").optional().describe("Absent on a plugin's skill"),
    pinnability: Pinnability,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Skill" });
export type Skill = z.output<typeof Skill>;

export const SkillDetail = z
  .object({ ...Skill.shape, content: z.string().describe("The body of SKILL.md") })
  .meta({ id: "SkillDetail" });
export type SkillDetail = z.output<typeof SkillDetail>;
