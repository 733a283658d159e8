/** @module A client: a named configuration of how the service connects to and talks to MCP servers. */
import { z } from "zod";
import { Author } from "../core/author.ts";
import { deletedFields } from "../core/gone.ts";
import { idOf } from "../core/id-of.ts";
import { limits } from "../core/limits/limits.ts";
import { ExpectedUpdatedAt, Timestamp } from "../core/timestamp.ts";
import { clientTemplateIds, themes } from "./client-fields.ts";

const openObject = z.record(z.string(), z.unknown());

const settings = {
  modelId: z
    .string()
    .max(limits.clients.modelIdLength)
    .regex(/\S/, "Name a model.")
    .describe("The model that answers, such as fettle/rules-1"),
  systemPrompt: z
    .string()
    .max(limits.clients.systemPromptLength)
    .describe("What the model is told before anything else"),
  temperature: z
    .number()
    .min(limits.clients.temperature.min)
    .max(limits.clients.temperature.max)
    .describe("0 repeats itself, 2 wanders"),
  requireToolApproval: z.boolean().describe("Ask a person before a tool is called"),
  connectionDefaults: z
    .looseObject({
      headers: z.record(z.string(), z.string()).optional().describe("Sent to every server; no credentials"),
      requestTimeout: z.number().positive().max(limits.request.ms.max).optional().describe("Milliseconds"),
    })
    .describe("How every server is reached, unless it says otherwise"),
  respectToolVisibility: z.boolean().describe("Hide tools from the model that are meant for widgets only"),
  progressiveToolDiscovery: z.boolean().describe("Let the model search for tools instead of being told all"),
  harness: z.enum(["claude-code", "codex"]).describe("Run inside a coding agent"),
  computer: z
    .looseObject({
      kind: z.enum(["personal", "ephemeral"]),
      workdir: z.string().optional().describe("Where it starts"),
    })
    .describe("A machine the model may use"),
  skillSelection: z
    .union([
      z.strictObject({ mode: z.literal("all-visible") }),
      z.strictObject({ mode: z.literal("explicit"), skillIds: z.array(idOf<"skill">(z.string())) }),
    ])
    .describe("Which skills the model is offered"),
  modelVisibleMcpToolResults: openObject.describe("Which parts of a tool's result the model sees"),
  mcpToolResultImageRendering: openObject.describe("Where images of a result are shown"),
  mcpProfile: openObject.describe("How it speaks MCP: versions, pagination, extensions"),
  hostCapabilitiesOverride: openObject.describe("What widgets are told that the host can do"),
  chatUiOverride: openObject.describe("What its chat looks like"),
  builtInToolIds: z.array(z.string()).describe("Tools it has besides those of its servers"),
};

/** Fields this release knows; others are kept, because a config is addressed by its content. */
export const ClientConfig = z
  .looseObject({
    ...z.object(settings).partial().shape,
    modelId: settings.modelId,
    hostStyle: z.string().optional().describe("The host it behaves like"),
    serverIds: z.array(idOf<"server">(z.string())).optional().describe("The servers it is attached to"),
    optionalServerIds: z.array(idOf<"server">(z.string())).optional().describe("Those it can do without"),
    clientCapabilities: openObject.optional().describe("What it tells servers that it can do"),
    hostContext: openObject.optional().describe("What widgets are told about where they are shown"),
    oauthProfile: openObject.optional().describe("How it signs in to servers"),
    serverConnectionOverrides: z
      .record(z.string(), openObject)
      .optional()
      .describe("How single servers are reached, by their id"),
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
  updatedBy: Author,
};

export const ClientImpact = z
  .object({
    liveEnvironmentCount: z.int32(),
    scenarioAttachmentCount: z.int32(),
    activeLegacyJourneyCount: z.int32(),
  })
  .describe("What a config edit would follow")
  .meta({ id: "ClientImpact" });
export type ClientImpact = z.output<typeof ClientImpact>;

export const Client = z
  .object({
    ...shared,
    hostStyle: z.string().describe("The host it behaves like"),
    modelId: z.string(),
    serverCount: z.int(),
    impact: ClientImpact,
  })
  .meta({ id: "Client" });
export type Client = z.output<typeof Client>;

export const ClientDetail = z
  .object({ ...shared, config: ClientConfig, impact: ClientImpact })
  .meta({ id: "ClientDetail" });
export type ClientDetail = z.output<typeof ClientDetail>;

export const ClientTemplate = z
  .object({
    id: z.enum(clientTemplateIds),
    label: z.string(),
    hostStyle: z.string(),
    modelId: z.string(),
    themes: z.array(z.enum(themes)).describe("Empty where the host has no theme to choose"),
  })
  .meta({ id: "ClientTemplate" });
export type ClientTemplate = z.output<typeof ClientTemplate>;

const name = z.string().trim().min(1).max(limits.text.nameLength);

export const ClientCreateRequest = z
  .strictObject({
    name,
    template: z.enum(clientTemplateIds).optional(),
    theme: z.enum(themes).optional().describe("With a template only"),
    config: ClientConfig.optional(),
  })
  .refine((request) => (request.template === undefined) !== (request.config === undefined), {
    path: ["template"],
    message: "Send either a template or a config.",
  })
  .refine((request) => request.theme === undefined || request.template !== undefined, {
    path: ["theme"],
    message: "A theme goes with a template.",
  })
  .meta({ id: "ClientCreateRequest" });
export type ClientCreateRequest = z.output<typeof ClientCreateRequest>;

const { modelId, ...clearable } = settings;

/** Null puts a field's default back, or clears it where it has none. */
export const ClientSettings = z
  .strictObject({
    modelId: modelId.optional(),
    ...z.object(nullable(clearable)).partial().shape,
  })
  .refine((set) => Object.keys(set).length > 0, "Set at least one field.")
  .meta({ id: "ClientSettings" });
export type ClientSettings = z.output<typeof ClientSettings>;

function nullable<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  const fields = Object.entries(shape).map(([key, field]) => [key, field.nullable()]);
  // The same keys, each with its own field made nullable.
  return Object.fromEntries(fields) as { [Key in keyof Shape]: z.ZodNullable<Shape[Key]> };
}

const expectedConfigId = z.string().min(1).describe("The configId the caller last read");
const expectedImpact = ClientImpact.strict()
  .optional()
  .describe("The impact the caller last read, if it matters to them");

export const ClientUpdateRequest = z
  .strictObject({
    name: name.optional(),
    expectedName: z.string().optional().describe("The name the caller last read; needed with a new one"),
    config: ClientConfig.optional().describe("Replaces the whole config"),
    set: ClientSettings.optional().describe("Changes single fields; objects are replaced whole"),
    expectedConfigId: expectedConfigId.optional(),
    expectedUpdatedAt: ExpectedUpdatedAt.optional(),
    expectedImpact,
  })
  .superRefine((request, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    const changesConfig = request.config !== undefined || request.set !== undefined;
    if (request.name === undefined && !changesConfig)
      refuse("set", "Send a name, a config or fields to set.");
    if (request.config !== undefined && request.set !== undefined)
      refuse("set", "Send a whole config or single fields, not both.");
    // Whoever says which moment they read has said it of all of it.
    if (request.expectedUpdatedAt !== undefined) return;
    if (request.name !== undefined && request.expectedName === undefined)
      refuse("expectedName", "Send the name you last read.");
    if (changesConfig && request.expectedConfigId === undefined)
      refuse("expectedConfigId", "Send the configId you last read.");
  })
  .meta({ id: "ClientUpdateRequest" });
export type ClientUpdateRequest = z.output<typeof ClientUpdateRequest>;

const serverSets = {
  serverIds: z.array(idOf<"server">(z.string())).max(limits.clients.servers),
  optionalServerIds: z.array(idOf<"server">(z.string())).max(limits.clients.servers).optional(),
};

export const ClientServersRequest = z
  .strictObject({
    ...serverSets,
    expectedConfigId: expectedConfigId.optional(),
    expectedUpdatedAt: ExpectedUpdatedAt.optional(),
    expectedImpact,
  })
  .superRefine(({ expectedConfigId: config, expectedUpdatedAt: moment }, context) => {
    if (config !== undefined || moment !== undefined) return;
    context.addIssue({
      code: "custom",
      path: ["expectedConfigId"],
      message: "Send the configId you last read.",
    });
  })
  .meta({ id: "ClientServersRequest" });
export type ClientServersRequest = z.output<typeof ClientServersRequest>;

export const ClientDuplicateRequest = z
  .strictObject({ name: name.optional() })
  .meta({ id: "ClientDuplicateRequest" });

export const ClientDeleteRequest = z
  .strictObject({
    force: z
      .boolean()
      .optional()
      .describe("Delete although something still refers to it; needs project admin if something does"),
    expectedUpdatedAt: ExpectedUpdatedAt.optional(),
  })
  .meta({ id: "ClientDeleteRequest" });
export type ClientDeleteRequest = z.output<typeof ClientDeleteRequest>;

export const ClientDeleted = z.object(deletedFields).meta({ id: "ClientDeleted" });

/** The older shapes, kept for the `/hosts` aliases. */
export const Host = z
  .object({
    id: z.string(),
    name: z.string(),
    hostConfigId: z.string().describe("The same value as the client's configId"),
    modelId: z.string(),
    serverCount: z.int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Host" });
export type Host = z.output<typeof Host>;

export const HostDetail = z
  .object({ id: z.string(), name: z.string(), config: ClientConfig })
  .meta({ id: "HostDetail" });
export type HostDetail = z.output<typeof HostDetail>;

export const HostUpdateRequest = z
  .strictObject({ name: name.optional(), config: ClientConfig.optional() })
  .refine(({ name, config }) => name !== undefined || config !== undefined, "Send a name or a config.")
  .meta({ id: "HostUpdateRequest" });
export type HostUpdateRequest = z.output<typeof HostUpdateRequest>;

export const HostServersRequest = z.strictObject(serverSets).meta({ id: "HostServersRequest" });

export const HostServersSet = z
  .object({ ...HostDetail.shape, hostId: z.string(), hostConfigId: z.string() })
  .meta({ id: "HostServersSet" });
