/** @module What a live MCP server says, passed on as it came: only what we rely on is checked, everything else is kept. */
import { z } from "zod";
import { jsonObject } from "../core/json-object.ts";
import { limits } from "../core/limits/limits.ts";

const Json = z.record(z.string(), z.unknown());

export const McpTool = z.looseObject({ name: z.string(), inputSchema: Json }).meta({ id: "Tool" });
export const McpPrompt = z.looseObject({ name: z.string() }).meta({ id: "Prompt" });
export const McpResource = z.looseObject({ uri: z.string() }).meta({ id: "Resource" });
export const McpResourceTemplate = z
  .looseObject({ uriTemplate: z.string() })
  .meta({ id: "ResourceTemplate" });

/** Asks for the JSON-RPC messages behind the answer, as `--rpc` does on the command line. */
export const LiveQuery = z.strictObject({
  rpc: z
    .enum(["true", "false"])
    .optional()
    .describe(
      "`true` adds `_rpcLogs`: the messages of this call, without secrets; a call that failed has them in `details._rpcLogs`",
    ),
});

export const RpcLogs = z
  .array(
    z.object({
      serverId: z.string(),
      serverName: z.string(),
      direction: z.enum(["send", "receive"]),
      timestamp: z.iso.datetime(),
      message: z.unknown(),
    }),
  )
  .optional();

/** Where to go on in a list; absent, from the beginning. */
export const LiveListRequest = z.strictObject({
  cursor: z.string().min(1).max(limits.live.cursorLength).optional(),
});

/** An item the server sent that breaks the protocol; it is left out so that the others are not lost, unless only its name came before. */
const MalformedItem = z.object({
  index: z.int(),
  name: z.string().optional(),
  reason: z.string(),
  isRepetition: z
    .literal(true)
    .optional()
    .describe("An earlier item has its name or URI; it stands in `items` all the same"),
});

export function livePage<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    nextCursor: z.string().optional(),
    _rpcLogs: RpcLogs,
    malformed: z
      .array(MalformedItem)
      .optional()
      .describe("Items with a fault and the reason; left out of `items`, except repetitions"),
  });
}

export const ReadResourceRequest = z.strictObject({ uri: z.string().min(1).max(limits.live.uriLength) });
export const ResourceContents = z
  .looseObject({ contents: z.array(z.looseObject({ uri: z.string() })) })
  .meta({ id: "ResourceContents" });

export const CallToolRequest = z
  .strictObject({
    toolName: z.string().min(1).max(limits.live.nameLength),
    parameters: jsonObject.optional(),
    taskOptions: z.unknown().optional().describe("Refused: a task outlives this call"),
    allowTaskResult: z.boolean().optional().describe("Refused when true"),
  })
  .meta({ id: "CallToolRequest" });
export const CallToolResult = z
  .looseObject({
    durationMs: z.int().describe("Milliseconds in the tool call itself, without connecting"),
    isError: z.boolean().optional(),
  })
  .meta({ id: "CallToolResult" });

type PromptArguments = Record<string, string | number | boolean>;
const promptArguments = jsonObject
  .refine(
    (given) => Object.values(given).every((value) => ["string", "number", "boolean"].includes(typeof value)),
    { error: "expected texts, numbers and booleans" },
  )
  // What was just checked is what the type says, to readers of the document too.
  .meta({
    type: "object",
    additionalProperties: { anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }] },
  }) as z.ZodType<PromptArguments, PromptArguments>;

export const GetPromptRequest = z.strictObject({
  promptName: z.string().min(1).max(limits.live.nameLength),
  arguments: promptArguments.optional(),
});
export const GetPromptResult = z
  .looseObject({ messages: z.array(z.looseObject({ role: z.string() })) })
  .meta({ id: "GetPromptResult" });

export const ValidateResult = z
  .object({
    success: z.literal(true),
    status: z.literal("connected"),
    initInfo: Json.nullable(),
    _rpcLogs: RpcLogs,
  })
  .meta({ id: "ValidateResult" });

const DoctorCheck = z
  .object({
    status: z.enum(["ok", "error", "skipped"]),
    detail: z.string(),
    durationMs: z.number().optional(),
  })
  .meta({ id: "DoctorCheck" });

export const DoctorReport = z
  .looseObject({
    generatedAt: z.iso.datetime(),
    status: z.enum(["ready", "oauth_required", "partial", "error"]),
    probe: Json.nullable(),
    connection: z.object({ status: z.enum(["connected", "error", "skipped"]), detail: z.string() }),
    initInfo: Json.nullable(),
    capabilities: Json.nullable(),
    tools: z.array(Json),
    resources: z.array(Json),
    resourceTemplates: z.array(Json),
    prompts: z.array(Json),
    checks: z.record(z.string(), DoctorCheck),
    findings: z
      .array(
        z.object({
          check: z.string(),
          severity: z.enum(["error", "warning", "advice"]),
          code: z.string(),
          summary: z.string(),
          evidence: Json,
          next: z.object({ text: z.string(), command: z.array(z.string()).optional() }),
        }),
      )
      .describe("What is wrong, worst first, each with its evidence and what to try next"),
    error: z.object({ code: z.string(), message: z.string(), details: Json.optional() }).nullable(),
    _rpcLogs: RpcLogs,
  })
  .meta({ id: "DoctorReport" });

export const CheckOAuthResult = z
  .object({ useOAuth: z.boolean(), serverUrl: z.string().nullable() })
  .meta({ id: "CheckOAuthResult" });

export const ExportSnapshot = z
  .looseObject({
    serverId: z.string(),
    exportedAt: z.iso.datetime(),
    tools: z.array(Json),
    resources: z.array(Json),
    resourceTemplates: z.array(Json),
    prompts: z.array(Json),
  })
  .meta({ id: "ExportSnapshot" });

const secretText = z.string().min(1).max(limits.live.secretLength);

export const ImportTokensRequest = z
  .strictObject({
    serverUrl: z
      .url()
      .max(limits.text.addressLength)
      .describe("Must be the saved server's address: tokens of one server never reach another"),
    oauthResourceUrl: z.url().max(limits.text.addressLength).optional(),
    authorizationServerUrl: z
      .url()
      .max(limits.text.addressLength)
      .optional()
      .describe("Its issuer. Needed to refresh: a refresh token is sent nowhere else"),
    clientInformation: z
      .strictObject({
        clientId: z.string().min(1).max(limits.servers.lineLength),
        clientSecret: secretText.optional(),
      })
      .optional()
      .describe("Needed to refresh"),
    tokens: z.strictObject({
      access_token: secretText,
      refresh_token: secretText.optional(),
      expires_in: z.number().positive().optional().describe("Seconds"),
      token_type: z.string().max(limits.live.tokenTypeLength).optional(),
      scope: z.string().max(limits.live.scopeLength).optional(),
      id_token: secretText.optional().describe("Not kept"),
    }),
  })
  .meta({ id: "ImportTokensRequest" });
export type ImportTokensRequest = z.output<typeof ImportTokensRequest>;
export const ImportTokensResult = z
  .object({ imported: z.literal(true), expiresAt: z.int().nullable() })
  .meta({ id: "ImportTokensResult" });
