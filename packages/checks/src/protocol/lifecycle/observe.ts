/** @module Looking at how a conversation begins and what every server must answer. */
import { isObject, type JsonObject } from "@fettle/mcp";
import type { Attempt, Exchange } from "../conversation/exchange.ts";
import { capabilitiesOf, type Opening } from "../conversation/talk.ts";
import { namesOf, objectsOf } from "../lists/observe.ts";
import { expandTemplate, variablesOf } from "../lists/uri-template.ts";
import type { ClientOutcome, ObserversOf, ProtocolLook, RunContext } from "../run-context.ts";

export interface LifecycleSeen {
  /** What a real client made of the server. */
  client: ClientOutcome;
  opening: Opening;
  ping: Exchange;
  /** A method that no server has. */
  unknownMethod: Exchange;
  /** Undefined where the server does not offer logging. */
  setLevel: Exchange | undefined;
  setUnknownLevel: Exchange | undefined;
  /** Completion of a real prompt argument or template variable. */
  completion: Attempt;
  /** A request that asks for no log messages, then the same with a level; only where a tool may be called. */
  logProbe: { silent: Exchange; loud: Exchange } | undefined;
}

declare module "../seen.ts" {
  interface ProtocolSeen extends LifecycleSeen {}
}

const logTools = ["test_logging_tool", "test_tool_with_logging"];
const logLevelKey = "io.modelcontextprotocol/logLevel";

export function lifecycleObservers({ talk, client, fixtures }: RunContext): ObserversOf<LifecycleSeen> {
  const setLevel = async (look: ProtocolLook, level: string) =>
    talk.era === "stateful" && "logging" in capabilitiesOf(await look("opening"))
      ? talk.ask("logging/setLevel", { level })
      : undefined;
  return {
    client: async () => client,
    opening: () => talk.open(),
    ping: () => talk.ask("ping"),
    unknownMethod: () => talk.ask("fettle/no-such-method"),
    setLevel: (look) => setLevel(look, "info"),
    setUnknownLevel: (look) => setLevel(look, "fettle-no-such-level"),
    completion: async (look) => {
      const subject = await completionSubject(look);
      if (!subject) return { kind: "no-subject", why: "No prompt argument and no template to complete." };
      return { kind: "done", exchange: await talk.ask("completion/complete", subject) };
    },
    logProbe: async (look) => {
      const tools = namesOf(await look("tools"));
      const named = fixtures.toolCalls.find(({ toolName }) => tools.includes(toolName));
      const own = (await look("hasContract")) ? logTools.find((tool) => tools.includes(tool)) : undefined;
      const params = own
        ? { name: own, arguments: {} }
        : named && { name: named.toolName, arguments: named.arguments };
      if (!params) return undefined;
      const [silent, loud] = await Promise.all([
        talk.ask("tools/call", params),
        talk.ask("tools/call", params, { meta: { [logLevelKey]: "debug" } }),
      ]);
      return { silent, loud };
    },
  };
}

async function completionSubject(look: ProtocolLook): Promise<JsonObject | undefined> {
  const capabilities = capabilitiesOf(await look("opening"));
  for (const prompt of "prompts" in capabilities ? objectsOf(await look("prompts")) : []) {
    const [argument] = Array.isArray(prompt.arguments) ? prompt.arguments.filter(isObject) : [];
    if (typeof prompt.name !== "string" || typeof argument?.name !== "string") continue;
    return { ref: { type: "ref/prompt", name: prompt.name }, argument: { name: argument.name, value: "" } };
  }
  for (const template of "resources" in capabilities ? objectsOf(await look("resourceTemplates")) : []) {
    const uri = template.uriTemplate;
    const [name] = typeof uri === "string" && expandTemplate(uri, {}) !== undefined ? variablesOf(uri) : [];
    if (name !== undefined) return { ref: { type: "ref/resource", uri }, argument: { name, value: "" } };
  }
  return undefined;
}
