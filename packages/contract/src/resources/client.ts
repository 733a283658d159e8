/** @module A client: a named configuration of how the service connects to and talks to MCP servers. */
import { z } from "zod";
import { Timestamp } from "../timestamp.ts";

const openObject = z.record(z.string(), z.unknown());

/** Fields this release knows; others are kept, because a config is addressed by its content. */
export const ClientConfig = z
  .looseObject({
    modelId: z.string().min(1),
    hostStyle: z.string().optional(),
    systemPrompt: z.string().optional(),
    temperature: z.number().optional(),
    requireToolApproval: z.boolean().optional(),
    progressiveToolDiscovery: z.boolean().optional(),
    respectToolVisibility: z.boolean().optional(),
    computer: z
      .looseObject({ kind: z.enum(["personal", "ephemeral"]), workdir: z.string().optional() })
      .optional(),
    harness: z.enum(["claude-code", "codex"]).optional(),
    serverIds: z.array(z.string()).optional(),
    optionalServerIds: z.array(z.string()).optional(),
    builtInToolIds: z.array(z.string()).optional(),
    skillSelection: z
      .union([
        z.object({ mode: z.literal("all-visible") }),
        z.object({ mode: z.literal("explicit"), skillIds: z.array(z.string()) }),
      ])
      .optional(),
    connectionDefaults: z
      .looseObject({
        headers: z.record(z.string(), z.string()).optional(),
        requestTimeout: z.number().optional(),
      })
      .optional(),
    clientCapabilities: openObject.optional(),
    hostContext: openObject.optional(),
    hostCapabilitiesOverride: openObject.optional(),
    chatUiOverride: openObject.optional(),
    mcpProfile: openObject.optional(),
    oauthProfile: openObject.optional(),
    serverConnectionOverrides: z.record(z.string(), openObject).optional(),
  })
  .meta({ id: "ClientConfig" });
export type ClientConfig = z.output<typeof ClientConfig>;

const shared = {
  id: z.string(),
  name: z.string(),
  configId: z.string().describe("Digest of the config: the same id means byte-identical settings"),
  ownerScope: openObject.nullable(),
  hasComputer: z.boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const Client = z
  .object({ ...shared, modelId: z.string(), serverCount: z.int() })
  .meta({ id: "Client" });
export type Client = z.output<typeof Client>;

export const ClientImpact = z
  .object({
    liveEnvironmentCount: z.int(),
    scenarioAttachmentCount: z.int(),
    activeLegacyJourneyCount: z.int(),
  })
  .describe("What a config edit would follow")
  .meta({ id: "ClientImpact" });

export const ClientDetail = z
  .object({ ...shared, config: ClientConfig, impact: ClientImpact })
  .meta({ id: "ClientDetail" });
export type ClientDetail = z.output<typeof ClientDetail>;
