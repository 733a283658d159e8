/** @module A saved server: how to reach one MCP server, with its secrets kept out of every answer. */
import { z } from "zod";
import { deletedFields } from "../core/gone.ts";
import { idOf } from "../core/id-of.ts";
import { limits } from "../core/limits/limits.ts";
import { changesSomething, ExpectedUpdatedAt, Timestamp } from "../core/timestamp.ts";
import { mask } from "../secrets/url-secrets.ts";
import { droppedCredentials } from "./dropped-credentials.ts";

const transports = ["stdio", "http"] as const;

/** From which registry a server was installed, and what of it. */
const ServerProvenance = z
  .object({
    kind: z.enum(["registry", "catalog"]).describe("A card, or an entry of a directory"),
    from: z.string().describe("Id of the card or entry"),
    source: z.string().describe("The directory, or whose card it is"),
    name: z.string().describe("As it is called there"),
    version: z.string().optional(),
    contentHash: z.string().optional().describe("Of the content that was installed"),
    connectedAt: Timestamp,
  })
  .meta({ id: "ServerProvenance" });

export const ProjectServer = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: z.string(),
    enabled: z
      .boolean()
      .describe("Whether environments take it up; asked by its own id, a disabled one answers all the same"),
    transportType: z.enum(transports),
    url: z
      .string()
      .nullable()
      .describe("Null for stdio; query values are masked; sent back so, they stay as they are"),
    useOAuth: z.boolean(),
    hasClientSecret: z.boolean(),
    headerNames: z.array(z.string()).describe("Which headers are sent; never their values"),
    oauthScopes: z.array(z.string()),
    sandboxImageId: z.string().optional().describe("Of stdio: the shared image that its command runs in"),
    provenance: ServerProvenance.optional().describe("Absent: somebody entered it"),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "ProjectServer" });
export type ProjectServer = z.output<typeof ProjectServer>;

/** A secret is entrusted to one place (an origin, a command, a machine behind a tunnel); a server that moves leaves it behind. */
export const credentialsDropped = z
  .array(z.enum(droppedCredentials))
  .describe("What was stored for where the server was before, and is forgotten: enter it again");

export const ProjectServerUpdated = ProjectServer.extend({ credentialsDropped }).meta({
  id: "ProjectServerUpdated",
});
export type ProjectServerUpdated = z.output<typeof ProjectServerUpdated>;

const text = z.string().max(limits.servers.lineLength);
/** They decide where a request ends up and where it stops, so they could take the other headers elsewhere. */
const routingHeaders =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|te|trailer|upgrade|expect|proxy-.*)$/i;

export const headerName = z
  .string()
  .regex(
    new RegExp(`^[!#$%&'*+.^_\`|~0-9A-Za-z-]{1,${limits.servers.headerNameLength}}$`),
    "Not a header name.",
  )
  .refine((name) => !routingHeaders.test(name), "This header is set by the connection itself.");
/** What stands where a value is hidden; stored, it would destroy the one it stands for. */
const noMask = [
  (value: string) => value !== mask,
  `"${mask}" is what hidden values are shown as: leave the field out to keep what is stored, or send the value.`,
] as const;
const headerValue = z
  .string()
  .max(limits.servers.headerValueLength)
  .refine(...noMask)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  .regex(/^[^\u0000-\u0008\u000a-\u001f\u007f]*$/, "Control characters are not allowed in a header.");

export const serverUrl = z
  .url({ protocol: /^https?$/, error: "An http or https address." })
  .max(limits.text.addressLength)
  .refine((text) => !/^https?:\/\/[^/?#]*@/.test(text), "Send credentials in a header, not in the address.");
export const headers = z.record(headerName, headerValue);

const settings = {
  name: z.string().trim().min(1).max(limits.text.nameLength),
  enabled: z.boolean(),
  transportType: z.enum(transports),
  command: text.min(1).optional(),
  args: z.array(text).max(limits.servers.args).optional(),
  env: z.record(z.string().min(1).max(limits.servers.envNameLength), text.refine(...noMask)).optional(),
  url: serverUrl.optional(),
  headers: headers.optional(),
  hasBearerToken: z.boolean().optional(),
  sandboxImageId: idOf<"sandboxImage">()
    .nullable()
    .optional()
    .describe(
      "Of stdio: which of the project's shared images the command runs in; null: the only one, which it then keeps",
    ),
  timeout: z
    .number()
    .positive()
    .max(limits.request.ms.max)
    .optional()
    .describe("Milliseconds a request may take"),
  clientCapabilities: z.record(z.string(), z.unknown()).optional(),
  useOAuth: z.boolean().optional(),
  oauthScopes: z
    .array(z.string().min(1).max(limits.servers.scopeLength))
    .max(limits.servers.scopes)
    .optional(),
  clientId: text.optional(),
  clientSecret: text
    .min(1)
    .refine(...noMask)
    .optional(),
  oauthResourceUrl: text.optional(),
  oauthProtocolMode: text.optional(),
  oauthProtocolVersion: text.optional(),
  oauthRegistrationStrategy: text.optional(),
  oauthAllowPathScopedIssuer: z.boolean().optional(),
  authMethod: text.optional(),
  registrationMode: text.optional(),
  authServerMode: z.enum(["fettle", "own"]).optional(),
  useXaa: z.boolean().optional(),
  xaaAuthzIssuer: text.optional(),
  xaaAllowPathScopedIssuer: z.boolean().optional(),
  xaaSubject: text.optional(),
  xaaEmail: text.optional(),
  xaaIdentityAssertionFormat: text.optional(),
  xaaClientAuth: text.optional(),
};

export const ProjectServerCreateRequest = z
  .strictObject({ ...settings, enabled: settings.enabled.default(true) })
  .superRefine((server, context) => {
    if (server.transportType === "http" && server.url === undefined)
      context.addIssue({ code: "custom", path: ["url"], message: "An HTTP server needs its address." });
    if (server.transportType === "stdio" && server.command === undefined)
      context.addIssue({ code: "custom", path: ["command"], message: "A stdio server needs its command." });
  })
  .meta({ id: "ProjectServerCreateRequest" });
export type ProjectServerCreateRequest = z.output<typeof ProjectServerCreateRequest>;

export const ProjectServerUpdateRequest = z
  .strictObject({
    ...settings,
    name: settings.name.optional(),
    enabled: settings.enabled.optional(),
    transportType: settings.transportType.optional(),
    clearClientSecret: z.literal(true).optional(),
    clearXaaConfig: z.literal(true).optional(),
    expectedUpdatedAt: ExpectedUpdatedAt.optional(),
  })
  .refine(changesSomething, "Send at least one field to change.")
  .refine((change) => !(change.clientSecret && change.clearClientSecret), {
    path: ["clearClientSecret"],
    message: "Send a new client secret or clear the old one, not both.",
  })
  .meta({ id: "ProjectServerUpdateRequest" });
export type ProjectServerUpdateRequest = z.output<typeof ProjectServerUpdateRequest>;

/** An address before it is saved, with what would be sent to it. */
export const ServerLookRequest = z.strictObject({
  url: settings.url.unwrap(),
  headers: settings.headers,
});
export type ServerLookRequest = z.output<typeof ServerLookRequest>;

export const ServerLook = z.object({
  answers: z.boolean().describe("It was reached and spoke MCP"),
  name: z.string().describe("What it calls itself, else its host; free in the project"),
});

export const ProjectServerDeleted = z.object(deletedFields).meta({ id: "ProjectServerDeleted" });
