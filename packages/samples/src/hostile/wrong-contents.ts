/**
 * Servers whose messages arrive well and say what they should not: names, results and pointers.
 * @module
 */
import { ECHO } from "./honest.ts";
import { type Answer, type HostileServer, on, type RpcRequest, result } from "./hostile-server.ts";
import { unauthorized } from "./wrong-http.ts";

const BOTH: HostileServer["transports"] = ["stdio", "http"];

export const WRONG_CONTENTS: HostileServer[] = [
  {
    name: "twice-named",
    transports: BOTH,
    does: "Lists two tools of the same name.",
    failsAt: "nowhere",
    conclude: "Keep the list, and say which name stands there twice.",
    behave: () => on("tools/list", (request) => result(request, { tools: [ECHO, ECHO] })),
  },
  {
    name: "odd-names",
    transports: BOTH,
    does: "Lists a tool whose name has spaces.",
    failsAt: "nowhere",
    conclude: "Keep the tool, and say that some hosts refuse every request while it is offered.",
    behave: () =>
      on("tools/list", (request) => result(request, { tools: [ECHO, { ...ECHO, name: "echo a text" }] })),
  },
  {
    name: "no-content",
    transports: BOTH,
    does: "Answers a call with a result that has no content.",
    failsAt: "nowhere",
    conclude: "Show what there is, and say that the list of content is missing.",
    behave: () => on("tools/call", (request) => result(request, { structuredContent: { text: "hi" } })),
  },
  {
    name: "image-without-type",
    transports: BOTH,
    does: "Answers a call with an image that has no mimeType.",
    failsAt: "nowhere",
    conclude: "Show what there is, and say that the image's mimeType is missing.",
    behave: () => ({ answer: withTypelessImage }),
  },
  {
    name: "system-role",
    transports: BOTH,
    does: "Offers a prompt whose message has the role system.",
    failsAt: "nowhere",
    conclude: "Show the message, and say that the role must be user or assistant.",
    behave: () => ({ answer: withSystemPrompt }),
  },
  {
    name: "resources-not-served",
    transports: BOTH,
    does: "Declares resources and logging, and knows neither resources/list nor logging/setLevel.",
    failsAt: "nowhere",
    conclude: "Go on without resources and log levels, and say which capability is declared and not served.",
    behave: () =>
      on("initialize", (request) =>
        result(request, {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {}, resources: {}, logging: {} },
          serverInfo: { name: "hostile", version: "1.0.0" },
        }),
      ),
  },
  {
    name: "pointer-without-address",
    transports: ["http"],
    does: "Answers 401 with a challenge whose resource_metadata is a word, and publishes its metadata all the same.",
    failsAt: "connect",
    conclude: "Say that the pointer is no URL, look in the well-known place, and offer to sign in.",
    behave: () => ({ http: unauthorized(() => "metadata") }),
  },
];

/** From a tool that may be called just to look. */
function withTypelessImage(request: RpcRequest): Answer | undefined {
  switch (request.method) {
    case "tools/list":
      return result(request, { tools: [{ ...ECHO, annotations: { readOnlyHint: true } }] });
    case "tools/call":
      return result(request, { content: [{ type: "image", data: "AA==" }] });
    default:
      return undefined;
  }
}

function withSystemPrompt(request: RpcRequest): Answer | undefined {
  switch (request.method) {
    case "initialize":
      return result(request, {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {}, prompts: {} },
        serverInfo: { name: "hostile", version: "1.0.0" },
      });
    case "prompts/list":
      return result(request, { prompts: [{ name: "greet" }] });
    case "prompts/get":
      return result(request, { messages: [{ role: "system", content: { type: "text", text: "Be kind." } }] });
    default:
      return undefined;
  }
}
