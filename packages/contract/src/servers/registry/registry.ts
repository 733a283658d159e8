/** @module What a registry holds: entries of directories, cards, and what a project has installed from them. */
import { z } from "zod";
import { idOf } from "../../core/id-of.ts";
import { limits } from "../../core/limits/limits.ts";
import { page, pageQuery } from "../../core/page.ts";
import { Moment, Timestamp } from "../../core/timestamp.ts";
import { headers, serverUrl } from "../server.ts";
import { registryLimits } from "./limits.ts";
import {
  authPostures,
  cardScopes,
  cardStatuses,
  directoryRowTypes,
  endpointKinds,
  installOutcomes,
  unavailableReasons,
  verifiedTiers,
} from "./words.ts";

const { text } = limits;
const source = z.string().min(1).max(registryLimits.sourceLength);
const contentHash = z.string().describe("Names the entry's content: another one, another content");

const DirectoryInput = z.object({
  name: z.string(),
  description: z.string().optional(),
  isRequired: z.boolean(),
  isSecret: z.boolean(),
  default: z.string().optional(),
  choices: z.array(z.string()).optional(),
});
export type DirectoryInput = z.output<typeof DirectoryInput>;

const DirectoryRemote = z.object({
  type: z.string(),
  url: z.string().describe("Parts in braces are its variables"),
  headers: z.array(DirectoryInput),
  variables: z.array(DirectoryInput),
});
export type DirectoryRemote = z.output<typeof DirectoryRemote>;

const DirectoryPackage = z.object({
  registryType: z.string(),
  identifier: z.string(),
  version: z.string().optional(),
  runtimeHint: z.string().optional(),
  transport: z.string(),
  arguments: z
    .array(z.string())
    .describe("Words after the package's name; what a person fills in stands in angle brackets"),
  environmentVariables: z.array(DirectoryInput),
});
export type DirectoryPackage = z.output<typeof DirectoryPackage>;

export const DirectoryServer = z
  .object({
    id: z.string(),
    source: z.string(),
    serverName: z.string(),
    displayName: z.string().optional(),
    description: z.string(),
    version: z.string().optional(),
    status: z.enum(["active", "deprecated"]),
    rowType: z.enum(directoryRowTypes),
    verifiedTier: z.enum(verifiedTiers),
    authPosture: z.enum(authPostures),
    unavailableReason: z.enum(unavailableReasons).nullable().describe("Null: it can be installed"),
    endpointKind: z.enum(endpointKinds).optional(),
    remoteUrl: z.string().optional().describe("Of `fixed`"),
    remoteUrlOptions: z.array(z.string()).optional().describe("Of `options`: one of them is chosen"),
    remoteUrlRegex: z.string().optional().describe("Of `tenant`: what the address has to look like"),
    remoteUrlHint: z.string().optional().describe("Of `tenant`: the address with its variables in braces"),
    remotes: z.array(DirectoryRemote),
    packages: z.array(DirectoryPackage),
    websiteUrl: z.string().optional(),
    repositoryUrl: z.string().optional(),
    latestContentHash: contentHash,
    oauthProbe: z
      .object({
        probedAt: Timestamp,
        endpointUrl: z.string(),
        outcome: z.string(),
        supportsDcr: z.boolean(),
        supportsCimd: z.boolean(),
        authorizationServerUrl: z.string().nullable(),
      })
      .optional()
      .describe("Absent: nobody has looked, and no directory here does"),
  })
  .meta({ id: "DirectoryServer" });
export type DirectoryServer = z.output<typeof DirectoryServer>;

export const DirectoryQuery = pageQuery(registryLimits.listed).extend({
  q: z.string().max(registryLimits.queryLength).optional().describe("Words that all have to occur"),
  source: source.optional().describe("One directory; `all`, or left out: every one"),
  rowType: z.enum(directoryRowTypes).optional(),
  endpointKind: z.enum(endpointKinds).optional(),
  verifiedTier: z.enum(verifiedTiers).optional(),
  connectableOnly: z.stringbool().default(false).describe("Only what can be installed"),
});
export type DirectoryQuery = z.output<typeof DirectoryQuery>;

export const DirectoryPage = page(DirectoryServer)
  .extend({ mode: z.enum(["search", "browse"]) })
  .meta({ id: "DirectoryPage" });

export const DirectoryNameQuery = z.strictObject({
  source: source.optional().describe("The directory; what the path says is then a name, never an id"),
});

export const DirectorySource = z
  .object({
    source: z.string(),
    lastSyncedAt: Timestamp.nullable().describe("When it was last read without a fault"),
    liveCount: z.int(),
    upstreamFetchedAt: Timestamp.nullable().describe("When its content last came from where it is kept"),
    lastFault: z.string().nullable().describe("Why the last reading failed; the copy before it is shown"),
    skippedCount: z.int().describe("Entries that were not understood"),
  })
  .meta({ id: "DirectorySource" });
export type DirectorySource = z.output<typeof DirectorySource>;

const transport = {
  url: serverUrl,
  useOAuth: z.boolean().default(false),
  oauthScopes: z
    .array(z.string().min(1).max(limits.servers.scopeLength))
    .max(limits.servers.scopes)
    .default([]),
};

export const RegistryCard = z
  .object({
    id: z.string(),
    scope: z.enum(cardScopes),
    name: z.string(),
    displayName: z.string().optional(),
    description: z.string(),
    category: z.string().nullable(),
    tags: z.array(z.string()),
    publisher: z.string().nullable(),
    status: z.enum(cardStatuses).describe("Only an approved one is installed"),
    updatedAt: Timestamp,
    transport: z.object({
      transportType: z.literal("http"),
      url: z.string().describe("Query values are masked"),
      useOAuth: z.boolean(),
      hasOAuthConfig: z.boolean(),
      oauthScopes: z.array(z.string()),
    }),
  })
  .meta({ id: "RegistryCard" });
export type RegistryCard = z.output<typeof RegistryCard>;

export const RegistryCardRequest = z
  .strictObject({
    displayName: z.string().trim().min(1).max(text.nameLength).optional(),
    description: z.string().trim().max(text.descriptionLength).default(""),
    category: z.string().trim().min(1).max(text.nameLength).nullable().default(null),
    tags: z
      .array(z.string().trim().min(1).max(registryLimits.tagLength))
      .max(registryLimits.tags)
      .default([]),
    publisher: z.string().trim().min(1).max(text.nameLength).nullable().default(null),
    ...transport,
  })
  .meta({ id: "RegistryCardRequest" });
export type RegistryCardRequest = z.output<typeof RegistryCardRequest>;

export const RegistryConnection = z
  .object({
    id: z.string(),
    kind: z.enum(["registry", "catalog"]).describe("From a card, or from a directory"),
    scope: z.enum(cardScopes).optional().describe("Of a card"),
    projectId: z.string(),
    serverId: z.string(),
    serverName: z.string(),
    registryServerId: z.string().optional(),
    catalogServerId: z.string().optional(),
    endpointUrl: z.string().optional().describe("Where the server is now; query values are masked"),
    endpointKind: z.enum(endpointKinds).optional(),
    connectedAt: Timestamp,
  })
  .meta({ id: "RegistryConnection" });
export type RegistryConnection = z.output<typeof RegistryConnection>;

const name = z
  .string()
  .trim()
  .min(1)
  .max(text.nameLength)
  .optional()
  .describe("What the project calls it; the registry's name unless said");

export const DirectoryInstallRequest = z
  .strictObject({
    catalogServerId: idOf<"catalogServer">(),
    endpointUrl: z
      .string()
      .trim()
      .min(1)
      .max(text.addressLength)
      .optional()
      .describe("Needed where the entry leaves it open: kinds `options` and `tenant`"),
    expectedContentHash: contentHash
      .optional()
      .describe("The content that was looked at; refused when it is another by now"),
    name,
    headers: headers.optional().describe("What the server asks for; kept sealed"),
  })
  .meta({ id: "DirectoryInstallRequest" });
export type DirectoryInstallRequest = z.output<typeof DirectoryInstallRequest>;

export const RegistryInstallRequest = z
  .strictObject({
    registryServerId: idOf<"registryCard">(),
    expectedUpdatedAt: Moment.optional().describe(
      "The card that was looked at; refused when it was changed since",
    ),
    name,
  })
  .meta({ id: "RegistryInstallRequest" });
export type RegistryInstallRequest = z.output<typeof RegistryInstallRequest>;

export const RegistryInstalled = z
  .object({
    serverId: z.string(),
    serverName: z.string(),
    outcome: z
      .enum(installOutcomes)
      .describe("`reconnected`: the project had it already, at the same address; it is enabled"),
    missingHeaders: z
      .array(DirectoryInput)
      .optional()
      .describe(
        "What the entry asks for in every request and the server has not been given; absent: nothing",
      ),
  })
  .meta({ id: "RegistryInstalled" });
export type RegistryInstalled = z.output<typeof RegistryInstalled>;
