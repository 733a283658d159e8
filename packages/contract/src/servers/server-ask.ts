/** @module A question to a saved server in front of a person: what is asked, what the connection declares, and how the server's own questions are answered. */
import { z } from "zod";
import { jsonObject } from "../core/json-object.ts";
import { limits } from "../core/limits/limits.ts";
import { CallToolRequest, GetPromptRequest, LiveListRequest, ReadResourceRequest } from "./mcp.ts";

const { attended } = limits.live;

/** In front of a person a task is followed to its end, and its questions are theirs. */
const AttendedCall = CallToolRequest.omit({ allowTaskResult: true }).extend({
  taskOptions: z
    .strictObject({ ttl: z.int().min(1).max(attended.totalMs).optional() })
    .optional()
    .describe("Asks for a task, where the server offers them"),
});

const uri = z.string().min(1).max(limits.live.uriLength);
const name = z.string().min(1).max(limits.live.nameLength);

/** What may stand in an argument of a prompt or a variable of a template, by what was typed so far. */
const CompleteRequest = z.strictObject({
  ref: z.union([z.strictObject({ prompt: name }), z.strictObject({ uriTemplate: uri })]),
  argument: z.strictObject({ name, value: z.string().max(limits.live.uriLength) }),
  context: z
    .record(name, z.string().max(limits.live.uriLength))
    .describe("The other arguments, as far as they are filled in"),
});

const Asked = z.discriminatedUnion("name", [
  z.strictObject({ name: z.literal("callTool"), input: AttendedCall }),
  z.strictObject({ name: z.literal("getPrompt"), input: GetPromptRequest }),
  z.strictObject({ name: z.literal("readResource"), input: ReadResourceRequest }),
  z.strictObject({ name: z.literal("listTools"), input: LiveListRequest }),
  z.strictObject({ name: z.literal("listPrompts"), input: LiveListRequest }),
  z.strictObject({ name: z.literal("listResources"), input: LiveListRequest }),
  z.strictObject({ name: z.literal("listResourceTemplates"), input: LiveListRequest }),
  z.strictObject({ name: z.literal("complete"), input: CompleteRequest }),
  /** Nothing is asked: the connection is held, and what the server says of its own accord is told. */
  z.strictObject({
    name: z.literal("listen"),
    input: z.strictObject({
      resources: z.array(uri).max(attended.subscriptions).describe("Those whose changes are to be told"),
    }),
  }),
]);

/** What a page's connections can be asked by a server, each to be switched off. */
const Declared = z.strictObject({
  sampling: z.boolean(),
  elicitation: z.boolean(),
  tasks: z
    .boolean()
    .default(false)
    .describe("Understands tasks: the server's, and what it asks of the page as one"),
  widgets: z
    .boolean()
    .default(false)
    .describe("Shows widgets: some servers offer them only to clients that say so"),
  roots: z
    .array(
      z.strictObject({
        uri,
        name: z.string().max(limits.live.nameLength).optional(),
      }),
    )
    .max(attended.roots)
    .nullable()
    .describe("`null`: not declared"),
});

export const ServerAskRequest = z.strictObject({
  askId: z
    .string()
    .regex(/^[0-9a-f-]{32,36}$/)
    .describe("Made by the page, so that it can cancel before anything has come back"),
  asked: Asked,
  declares: Declared,
  limitMs: z
    .int()
    .min(attended.limitMs.min)
    .max(attended.limitMs.max)
    .optional()
    .describe("Longest silence of the server; progress starts it anew"),
});
export type ServerAskRequest = z.infer<typeof ServerAskRequest>;

/** Either a result in the words of the method, or a refusal as a JSON-RPC error. */
export const ServerAnswerRequest = z.strictObject({
  requestId: z.string().min(1).max(limits.live.nameLength),
  answer: z.union([
    z.strictObject({ result: jsonObject }),
    z.strictObject({
      refusal: z.strictObject({ code: z.int32(), message: z.string().max(limits.live.nameLength) }),
    }),
  ]),
});
export type ServerAnswerRequest = z.infer<typeof ServerAnswerRequest>;

/** What a server asks of a model, to be answered by one of the organization's or by the rules. */
export const ServerSampleRequest = z.strictObject({
  model: z.string().trim().min(1).max(limits.models.nameLength),
  params: jsonObject.describe("Of `sampling/createMessage`, as the server sent them"),
});
export const ServerSample = z.object({
  result: z.object({
    role: z.literal("assistant"),
    content: z.object({ type: z.literal("text"), text: z.string() }),
    model: z.string(),
    stopReason: z.string(),
  }),
});
