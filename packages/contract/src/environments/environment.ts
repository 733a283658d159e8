/** @module An environment: one client, and what is pinned on top of it, that suites and journeys run against. */
import { z } from "zod";
import { Author } from "../core/author.ts";
import { idOf } from "../core/id-of.ts";
import { limits } from "../core/limits/limits.ts";
import { Timestamp } from "../core/timestamp.ts";
import { ClientConfig } from "./client.ts";

interface PinnedLists {
  skillSelection?: { skillIds: string[] } | null | undefined;
  pluginVersionIds?: string[] | null | undefined;
}

/** An empty list is more likely a mistake than a wish; how to pin nothing depends on the request. */
function refuseEmptyPins(toPinNothing: string) {
  return ({ skillSelection, pluginVersionIds }: PinnedLists, context: z.RefinementCtx): void => {
    const refuse = (...path: string[]) =>
      context.addIssue({ code: "custom", message: toPinNothing, path, params: { code: "EMPTY_PIN" } });
    if (skillSelection?.skillIds.length === 0) refuse("skillSelection", "skillIds");
    if (pluginVersionIds?.length === 0) refuse("pluginVersionIds");
  };
}
const leaveOut = "Leave the field out to pin nothing.";
const sendNull = "Send null to pin nothing.";

export const SkillSelection = z
  .strictObject({
    mode: z.literal("explicit").default("explicit"),
    skillIds: z.array(idOf<"skill">()).max(limits.environments.skillsPerEnvironment).meta({ minItems: 1 }),
  })
  .meta({ id: "EnvironmentSkillSelection" });

const pins = {
  serverAttachmentId: idOf<"serverGroup">().describe(
    "A pinned server group; absent: the client's own servers",
  ),
  modelId: z.string().regex(/\S/, "Name a model.").describe("Absent: the client's own model"),
  skillSelection: SkillSelection,
  pluginVersionIds: z
    .array(idOf<"pluginVersion">())
    .max(limits.environments.pluginVersionsPerEnvironment)
    .meta({ minItems: 1 }),
  sandboxImageId: idOf<"sandboxImage">(),
};

const stack = {
  hostId: idOf<"client">().describe("The client it runs as"),
  ...z.object(pins).partial().shape,
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
  updatedBy: Author,
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

const name = z.string().trim().min(1).max(limits.text.nameLength);
const description = z
  .string()
  .max(limits.text.descriptionLength)
  .nullable()
  .describe("Null or an empty text clears it");
const expectedRevision = z
  .union([z.int32().min(0), z.literal("*")])
  .describe("The revision the caller last read. `*`: whatever it is now");
export type ExpectedRevision = z.output<typeof expectedRevision>;

export const EnvironmentCreateRequest = z
  .strictObject({ name, description: description.optional(), ...stack })
  .superRefine(refuseEmptyPins(leaveOut))
  .meta({ id: "ProjectEnvironmentCreateRequest" });
export type EnvironmentCreateRequest = z.output<typeof EnvironmentCreateRequest>;

export const EnvironmentUpdateRequest = z
  .strictObject({
    expectedRevision,
    name: name.optional(),
    description: description.optional(),
    hostId: stack.hostId.optional(),
    serverAttachmentId: pins.serverAttachmentId.nullable().optional(),
    modelId: pins.modelId.nullable().optional(),
    skillSelection: SkillSelection.nullable().optional(),
    pluginVersionIds: pins.pluginVersionIds.nullable().optional(),
    sandboxImageId: pins.sandboxImageId.nullable().optional(),
  })
  .refine((change) => Object.keys(change).length > 1, "Send at least one field to change.")
  .superRefine(refuseEmptyPins(sendNull))
  .meta({ id: "ProjectEnvironmentUpdateRequest" });
export type EnvironmentUpdateRequest = z.output<typeof EnvironmentUpdateRequest>;

export const EnvironmentRevisionRequest = z
  .strictObject({ expectedRevision })
  .meta({ id: "ProjectEnvironmentRevisionRequest" });

export const AdhocEnvironmentRequest = z
  .strictObject(stack)
  .superRefine(refuseEmptyPins(leaveOut))
  .meta({ id: "AdhocEnvironmentRequest" });
export type AdhocEnvironmentRequest = z.output<typeof AdhocEnvironmentRequest>;

export const AdhocEnvironmentEnsured = z
  .object({ environment: AdhocEnvironment, created: z.boolean().describe("False: it was there already") })
  .meta({ id: "AdhocEnvironmentEnsured" });

export const EnvironmentNameRequest = z
  .strictObject({ expectedRevision, name, description: description.optional() })
  .meta({ id: "EnvironmentNameRequest" });
export type EnvironmentNameRequest = z.output<typeof EnvironmentNameRequest>;

export const EnvironmentCapabilities = z
  .object({ modelOverrides: z.boolean(), modelMatrix: z.boolean() })
  .meta({ id: "ProjectEnvironmentCapabilities" });

export const ResolvedEnvironment = z
  .object({
    environment: z.object({ id: z.string(), name: z.string().nullable(), revision: z.int() }),
    hostId: z.string(),
    hostName: z.string(),
    hostConfigId: z.string(),
    config: ClientConfig.describe("The client's settings as they are now"),
    modelId: z.string().optional().describe("The environment's own model, where it has one"),
    effectiveModelId: z.string(),
    modelSource: z.enum(["environment", "host"]),
    serverAttachmentId: z.string().optional(),
    sandboxImageId: z.string().optional(),
    selectedServerIds: z.array(z.string()).describe("Asked for by the server group or the client"),
    effectiveServerIds: z
      .array(z.string())
      .describe(
        "What a run connects to and nothing else: the selected ones that are live and enabled, and the plugins'",
      ),
    pluginVersions: z.array(
      z.object({
        pluginId: z.string(),
        pluginVersionId: z.string(),
        name: z.string(),
        bundleHash: z.string(),
      }),
    ),
    skills: z.array(z.object({ skillId: z.string(), name: z.string(), aggregateHash: z.string() })),
    servers: z.array(z.object({ serverId: z.string(), name: z.string() })),
  })
  .meta({ id: "ProjectEnvironmentResolved" });
export type ResolvedEnvironment = z.output<typeof ResolvedEnvironment>;
