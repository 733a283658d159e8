/**
 * Text that JSON may write and that no database keeps: half of a character that takes two, and the zero character.
 * @module
 */
import { ECHO } from "./honest.ts";
import { type Answer, type HostileServer, type RpcRequest, result } from "./hostile-server.ts";

/** The first half, the second half, and the zero character. */
const HALVES = "\ud83d-\udc00-\u0000";
const odd = (text: string) => `${text}${HALVES}`;

export const HALF_CHARACTERS: HostileServer[] = [
  {
    name: "half-characters",
    transports: ["stdio", "http"],
    does: "Puts halves of characters (lone surrogates) and the zero character into every name, text, key, id and address.",
    failsAt: "nowhere",
    conclude: "Keep what can be kept with a replacement character, and fail at nothing.",
    behave: () => ({ answer }),
  },
];

function answer(request: RpcRequest): Answer | undefined {
  const { method, params } = request;
  switch (method) {
    case "initialize":
      return result(request, {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {}, resources: {}, prompts: {}, logging: {}, [odd("own")]: {} },
        serverInfo: {
          name: odd("halves"),
          title: odd("Halves"),
          version: odd("1"),
          [odd("build")]: odd("x"),
        },
        instructions: odd("Use these tools."),
      });
    case "tools/list":
      return result(request, { tools: TOOLS, _meta: { [odd("key")]: odd("value") } });
    case "tools/call":
      return { kind: "messages", messages: called(request) };
    case "resources/list":
      return result(request, { resources: [{ ...RESOURCE, name: odd("note"), description: odd("A note") }] });
    case "resources/templates/list":
      return result(request, {
        resourceTemplates: [{ uriTemplate: odd("note://{id}"), name: odd("notes") }],
      });
    case "resources/read":
      return result(request, {
        contents: [{ uri: params.uri, mimeType: odd("text/plain"), text: odd("text") }],
      });
    case "prompts/list":
      return result(request, { prompts: [PROMPT] });
    case "prompts/get":
      return result(request, {
        description: odd("A greeting"),
        messages: [{ role: "user", content: { type: "text", text: odd("Hello") } }],
      });
    case "ping":
      return undefined;
    default:
      return {
        kind: "message",
        message: {
          jsonrpc: "2.0",
          id: request.id,
          error: { code: -32601, message: odd("No"), data: odd("no") },
        },
      };
  }
}

const TOOLS = [
  ECHO,
  {
    name: odd("echo"),
    title: odd("Echo"),
    description: odd("Repeats a text."),
    inputSchema: {
      type: "object",
      properties: {
        [odd("text")]: { type: "string", description: odd("What"), enum: [odd("a"), "b"], default: odd("a") },
        pointed: { $ref: `#/$defs/${HALVES}%zz%ED%A0%80` },
      },
      required: [odd("text")],
      $defs: { [`${HALVES}%zz`]: { type: "string" } },
    },
    annotations: { title: odd("Echo") },
    _meta: { [odd("key")]: odd("value") },
  },
];
const RESOURCE = { uri: odd("note://one"), mimeType: odd("text/plain") };
const PROMPT = {
  name: odd("greet"),
  description: odd("Greets"),
  arguments: [{ name: odd("whom"), description: odd("Whom") }],
};

/** Speaks before it answers, asks under an id of the same kind, and fails by name or answers. */
function* called({ id, params }: RpcRequest): Generator<unknown> {
  const { progressToken } = (params._meta ?? {}) as { progressToken?: unknown };
  const said = (method: string, more: object) => ({ jsonrpc: "2.0", method, params: more });
  yield said("notifications/message", {
    level: "info",
    logger: odd("log"),
    data: { [odd("key")]: odd("said") },
  });
  if (progressToken !== undefined) {
    yield said("notifications/progress", { progressToken, progress: 1, message: odd("Half way") });
  }
  yield { jsonrpc: "2.0", id: odd("asked"), method: "ping" };
  const { text } = (params.arguments ?? {}) as { text?: unknown };
  if (text === "fail") {
    yield {
      jsonrpc: "2.0",
      id,
      error: { code: -32000, message: odd("Failed"), data: { [odd("why")]: odd("so") } },
    };
    return;
  }
  const content = [
    { type: "text", text: odd(String(text)) },
    { type: "resource_link", name: odd("note"), ...RESOURCE },
    { type: "resource", resource: { ...RESOURCE, text: odd("text") } },
  ];
  const isError = text === "refuse";
  yield { jsonrpc: "2.0", id, result: { content, structuredContent: { [odd("text")]: odd("a") }, isError } };
}
