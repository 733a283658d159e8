/** @module A sandbox image: what a computer or a server is started from, written down as a blueprint in YAML. */
import { z } from "zod";
import { deletedFields } from "../core/gone.ts";
import { changesSomething, ExpectedUpdatedAt, Timestamp } from "../core/timestamp.ts";
import { sandboxLimits } from "./limits.ts";
import { computerStatuses, imageBuildStatuses, imageProvider, imageSharings } from "./words.ts";

export const SandboxImageBuild = z
  .object({
    id: z.string(),
    status: z.enum(imageBuildStatuses),
    provider: z.literal(imageProvider).describe("What builds it: the deployment's container engine"),
    providerBuildId: z.string().optional().describe("What the engine calls the image it has built"),
    baseImageDigests: z.array(z.string()),
    logPreview: z.string().optional().describe("The end of its log, without colours"),
    error: z.string().optional(),
    createdAt: Timestamp,
    startedAt: Timestamp.optional(),
    finishedAt: Timestamp.optional(),
  })
  .meta({ id: "SandboxImageBuild" });
export type SandboxImageBuild = z.output<typeof SandboxImageBuild>;

export const SandboxImage = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: z.string(),
    blueprint: z.string().describe("As it was written"),
    contentHash: z
      .string()
      .describe("Digest of what is built, which is the base and the steps of `initialize`"),
    sharing: z.enum(imageSharings),
    isOwner: z.boolean(),
    currentBuild: SandboxImageBuild.nullable().describe("The newest; null before the first"),
    isBuilt: z
      .boolean()
      .describe("A build of it is ready, the newest or one before: computers and servers start from that"),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "SandboxImage" });
export type SandboxImage = z.output<typeof SandboxImage>;

const name = z.string().trim().min(1).max(sandboxLimits.nameLength);
const blueprint = z.string().max(sandboxLimits.blueprintBytes).describe("YAML");

export const SandboxImageCreateRequest = z
  .strictObject({ name, blueprint })
  .meta({ id: "SandboxImageCreateRequest" });
export type SandboxImageCreateRequest = z.output<typeof SandboxImageCreateRequest>;

export const SandboxImageUpdateRequest = z
  .strictObject({
    name: name.optional(),
    blueprint: blueprint.optional(),
    expectedUpdatedAt: ExpectedUpdatedAt.optional(),
  })
  .refine(changesSomething, "Send at least one field to change.")
  .meta({ id: "SandboxImageUpdateRequest" });
export type SandboxImageUpdateRequest = z.output<typeof SandboxImageUpdateRequest>;

export const SandboxImageDeleted = z.object(deletedFields).meta({ id: "SandboxImageDeleted" });

export const SandboxImageBuildStarted = z
  .object({
    id: z.string().describe("The image's"),
    buildId: z.string(),
    reused: z.boolean().describe("Something identical was built before, or is being built"),
  })
  .meta({ id: "SandboxImageBuildStarted" });
export type SandboxImageBuildStarted = z.output<typeof SandboxImageBuildStarted>;

export const ComputerAttached = z
  .object({ imageId: z.string(), computerId: z.string(), status: z.enum(computerStatuses) })
  .meta({ id: "ComputerAttached" });
export type ComputerAttached = z.output<typeof ComputerAttached>;

export const ComputerReset = z
  .object({
    projectId: z.string(),
    reset: z.boolean().describe("False when the caller has no computer in the project"),
  })
  .meta({ id: "ComputerReset" });
export type ComputerReset = z.output<typeof ComputerReset>;

export const SandboxImageBlueprintValidateRequest = z
  .strictObject({ blueprint })
  .meta({ id: "SandboxImageBlueprintValidateRequest" });

export const SandboxImageBlueprintValidateResult = z
  .union([
    z.object({
      ok: z.literal(true),
      baseImageDigest: z.string().describe("The one that is pinned; a build finds out whether it is there"),
    }),
    z.object({
      ok: z.literal(false),
      errors: z.array(
        z.object({
          path: z.string().describe("Such as `initialize[0].run`; empty for the whole document"),
          message: z.string(),
        }),
      ),
    }),
  ])
  .meta({ id: "SandboxImageBlueprintValidateResult" });
export type SandboxImageBlueprintValidateResult = z.output<typeof SandboxImageBlueprintValidateResult>;
