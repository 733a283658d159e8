/** @module A skill: instructions in a SKILL.md that a model can be given, a person's draft or shared with the project. */
import { z } from "zod";
import { Timestamp } from "../core/timestamp.ts";
import { FileMap } from "./file-map.ts";

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

export const SkillFiles = z
  .object({
    files: FileMap.describe("SKILL.md as it was written, and its supporting files"),
    updatedAt: Timestamp,
  })
  .meta({ id: "SkillFiles" });
export type SkillFiles = z.output<typeof SkillFiles>;

export const SkillCheck = z
  .union([
    z.object({
      ok: z.literal(true),
      name: z.string(),
      description: z.string(),
      pinnability: Pinnability.describe("What it would be once shared"),
    }),
    z.object({ ok: z.literal(false), problems: z.array(z.string()) }),
  ])
  .describe("Whether these files are a skill, and if not, every reason")
  .meta({ id: "SkillCheck" });
export type SkillCheck = z.output<typeof SkillCheck>;

export const SkillDetail = z
  .object({ ...Skill.shape, content: z.string().describe("The body of SKILL.md") })
  .meta({ id: "SkillDetail" });
export type SkillDetail = z.output<typeof SkillDetail>;
