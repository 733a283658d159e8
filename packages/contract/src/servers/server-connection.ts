/** @module A request to connect a server by its address, and what its consent page shows. */
import { z } from "zod";
import { idOf } from "../core/id-of.ts";
import { limits } from "../core/limits/limits.ts";
import { Timestamp } from "../core/timestamp.ts";

export const connectionStatuses = [
  "discovering",
  "awaiting_project",
  "awaiting_authorization",
  "authorizing",
  "validating",
  "ready",
  "failed",
  "expired",
  "cancelled",
] as const;
export type ConnectionStatus = (typeof connectionStatuses)[number];

/** Why a request failed. */
export const connectionErrorCodes = [
  "NOT_AN_MCP_SERVER",
  "URL_NOT_ALLOWED",
  "UNSUPPORTED_AUTH_METHOD",
  "AUTHENTICATION_FAILED",
  "PROTOCOL_VALIDATION_FAILED",
  "VALIDATION_FAILED",
  "AMBIGUOUS_SERVER",
  "PROJECT_ACCESS_DENIED",
] as const;
export type ConnectionErrorCode = (typeof connectionErrorCodes)[number];

/** A saved server that a request could mean. */
const Candidate = z.object({ id: z.string(), name: z.string(), url: z.string() });
export type ConnectionCandidate = z.output<typeof Candidate>;

const ConnectionError = z.object({
  code: z.enum(connectionErrorCodes),
  message: z.string(),
  retryable: z.boolean().describe("Starting again, with nothing changed, may help"),
  candidates: z.array(Candidate).optional(),
});
export type ConnectionError = z.output<typeof ConnectionError>;

/** While the request is in one of these, nothing goes on until its owner has followed the link. */
export const personStatuses: readonly ConnectionStatus[] = [
  "awaiting_project",
  "awaiting_authorization",
  "authorizing",
];

const shown = {
  connectionRequestId: z.string(),
  status: z.enum(connectionStatuses),
  expiresAt: z.iso.datetime(),
  createdAt: Timestamp,
  projectId: z.string().optional(),
  serverId: z.string().optional(),
  server: z.object({
    id: z.string().nullable().describe("Null until the server is saved"),
    name: z.string().nullable().describe("Null until one is chosen or saved"),
    url: z.string().describe("Query values are masked"),
    enabled: z.boolean().nullable().describe("Null until the server is saved"),
  }),
  error: ConnectionError.optional(),
};

export const ServerConnection = z
  .object({
    ...shown,
    handoffUrl: z
      .string()
      .optional()
      .describe("The private link to the consent page; only while a person is needed"),
  })
  .meta({ id: "ServerConnection" });
export type ServerConnection = z.output<typeof ServerConnection>;

export const ServerConnectionCreateBody = z
  .strictObject({
    url: z
      .string()
      .trim()
      .min(1)
      .max(limits.text.addressLength)
      .describe("With `serverId`, also as that server's own answer shows it, values masked"),
    projectId: idOf<"project">().optional().describe("Without it, the consent page asks"),
    serverId: idOf<"server">()
      .optional()
      .describe("Which saved server is meant, where several have the address"),
    name: z
      .string()
      .trim()
      .min(1)
      .max(limits.text.nameLength)
      .optional()
      .describe("Name of a newly saved server"),
    reauthorize: z
      .boolean()
      .default(false)
      .describe("Ask for consent anew; earlier open requests for the same address and project end"),
  })
  .meta({ id: "ServerConnectionCreateBody" });
export type ServerConnectionCreateBody = z.output<typeof ServerConnectionCreateBody>;

/** What to mind about the address before agreeing to anything. */
export const addressWarnings = ["plain_http", "ip_address", "look_alike", "hidden_query"] as const;
export type AddressWarning = (typeof addressWarnings)[number];

/** The request as its owner's consent page shows it. */
export const ConnectionConsent = z.object({
  ...shown,
  project: z.object({ id: z.string(), name: z.string() }).nullable(),
  askedBy: z
    .object({ keyOrganization: z.object({ id: z.string(), name: z.string() }).nullable() })
    .describe("The organization of the API key that asked; null when the account itself did"),
  warnings: z.array(z.enum(addressWarnings)),
  authorization: z
    .object({
      issuer: z.string().describe("The authorization server that will be visited"),
      scopes: z.array(z.string()),
      claimsClientSecret: z
        .boolean()
        .describe(
          "The saved client secret was used nowhere yet: whoever goes on says that it belongs to this issuer",
        ),
    })
    .nullable(),
});
export type ConnectionConsent = z.output<typeof ConnectionConsent>;
