/** @module Looking at how a stateless server holds the routing headers against the body. */
import { isObject, type JsonObject, scanParamHeaders } from "@fettle/mcp";
import type { Attempt, Exchange } from "../conversation/exchange.ts";
import { namesOf, objectsOf, requireWhole } from "../lists/observe.ts";
import { requiredArguments } from "../reading/observe.ts";
import type { ObserversOf, ProtocolLook, RunContext } from "../run-context.ts";

export interface RoutingSeen {
  /** Header and envelope name different versions. */
  versionMismatch: Exchange;
  /** `Mcp-Method` names another method. */
  methodMismatch: Exchange;
  methodMissing: Exchange;
  /** The right method in capitals. */
  methodInCapitals: Exchange;
  nameMismatch: Attempt;
  nameMissing: Attempt;
  /** Blanks around the name, which HTTP says do not count. */
  nameWithBlanks: Attempt;
  /** The name in base64, as it is written when it is no plain text. */
  nameEncoded: Attempt;
  /** Another name in base64. */
  nameEncodedWrong: Attempt;
  /** Header names in lower, upper and alternating case. */
  headerNames: Exchange[];
  paramHeaders: ParamHeaderTrials | undefined;
}

declare module "../seen.ts" {
  interface ProtocolSeen extends RoutingSeen {}
}

/** One call of a tool that mirrors a parameter, for each way to write the header. */
export interface ParamHeaderTrials {
  tool: string;
  accepted: { form: string; exchange: Exchange }[];
  refused: { form: string; exchange: Exchange }[];
}

const routingHeaders = ["MCP-Protocol-Version", "Mcp-Method"] as const;

const letterCases: ((name: string) => string)[] = [
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
  (name) => [...name].map((letter, at) => (at % 2 ? letter.toUpperCase() : letter.toLowerCase())).join(""),
];

export function routingObservers({ talk, fixtures }: RunContext): ObserversOf<RoutingSeen> {
  type Options = NonNullable<Parameters<typeof talk.ask>[2]>;
  const discover = (headers: Options["headers"]) =>
    talk.ask("server/discover", undefined, headers ? { headers } : {});
  const readWith = async (
    look: ProtocolLook,
    nameOf: (name: string) => string | undefined,
  ): Promise<Attempt> => {
    const subject = await namedSubject(look);
    if (!subject) {
      requireWhole(await look("resources"), await look("prompts"));
      return { kind: "no-subject", why: "No resource and no plain prompt is listed to ask for." };
    }
    const { method, params, name } = subject;
    return {
      kind: "done",
      exchange: await talk.ask(method, params, { headers: { "mcp-name": nameOf(name) } }),
    };
  };
  return {
    versionMismatch: () => discover({ "mcp-protocol-version": "2025-11-25" }),
    methodMismatch: () => discover({ "mcp-method": "tools/list" }),
    methodMissing: () => discover({ "mcp-method": undefined }),
    methodInCapitals: () => discover({ "mcp-method": "SERVER/DISCOVER" }),
    nameMismatch: (look) => readWith(look, (name) => `${name}-fettle`),
    nameMissing: (look) => readWith(look, () => undefined),
    nameWithBlanks: (look) => readWith(look, (name) => `  ${name} \t`),
    nameEncoded: (look) => readWith(look, encoded),
    nameEncodedWrong: (look) => readWith(look, (name) => encoded(`${name}-fettle`)),
    headerNames: () =>
      Promise.all(
        letterCases.map((write) =>
          discover({
            [write(routingHeaders[0])]: talk.version,
            [write(routingHeaders[1])]: "server/discover",
          }),
        ),
      ),
    paramHeaders: async (look) => {
      const subject = await mirroringTool(look, fixtures.toolCalls);
      if (!subject) return undefined;
      const { tool, header, withValue, without } = subject;
      const call = async (form: string, args: JsonObject, value: string | undefined) => ({
        form,
        exchange: await talk.ask(
          "tools/call",
          { name: tool, arguments: args },
          { headers: { [header]: value } },
        ),
      });
      const base64 = Buffer.from(mirrored).toString("base64");
      return {
        tool,
        accepted: await Promise.all([
          call("the plain value", withValue, mirrored),
          call("the value in base64", withValue, encoded(mirrored)),
          call("no header for a value that is not there", without, undefined),
        ]),
        refused: await Promise.all([
          call("another value", withValue, `${mirrored}-fettle`),
          call("base64 without its padding", withValue, `=?base64?${base64.replace(/=+$/, "")}?=`),
          call("base64 with foreign letters", withValue, `=?base64?${base64.slice(0, -3)}*!=?=`),
          call("base64 without its beginning", withValue, `${base64}?=`),
          call("base64 without its end", withValue, `=?base64?${base64}`),
          call("no header for a value that is there", withValue, undefined),
        ]),
      };
    },
  };
}

const encoded = (text: string) => `=?base64?${Buffer.from(text).toString("base64")}?=`;

/** Its base64 ends with padding. */
const mirrored = "fettle-mirror";

interface Subject {
  method: string;
  params: JsonObject;
  name: string;
}

/** Something that may be asked for by name without an effect. */
async function namedSubject(look: ProtocolLook): Promise<Subject | undefined> {
  const [uri] = namesOf(await look("resources"), "uri");
  if (uri !== undefined) return { method: "resources/read", params: { uri }, name: uri };
  const plain = objectsOf(await look("prompts")).find((prompt) => requiredArguments(prompt).length === 0);
  if (typeof plain?.name !== "string") return undefined;
  return { method: "prompts/get", params: { name: plain.name, arguments: {} }, name: plain.name };
}

/** A tool that may be called and mirrors a text at the top of its arguments. */
async function mirroringTool(look: ProtocolLook, named: RunContext["fixtures"]["toolCalls"]) {
  const hasContract = await look("hasContract");
  for (const { name, inputSchema } of objectsOf(await look("tools"))) {
    const allowed = named.find(({ toolName }) => toolName === name);
    if (typeof name !== "string" || !(allowed || (hasContract && name === "test_x_mcp_header"))) continue;
    const scan = scanParamHeaders(inputSchema);
    const properties =
      isObject(inputSchema) && isObject(inputSchema.properties) ? inputSchema.properties : {};
    const isText = (name: string) => isObject(properties[name]) && properties[name].type === "string";
    const texts = (scan.ok ? scan.headers : []).flatMap(({ path: [key, ...deeper], suffix }) =>
      key !== undefined && deeper.length === 0 && isText(key) ? [{ key, suffix }] : [],
    );
    const [found] = texts;
    if (!found) continue;
    const { [found.key]: _value, ...without } = allowed?.arguments ?? {};
    const header = `mcp-param-${found.suffix.toLowerCase()}`;
    return { tool: name, header, without, withValue: { ...without, [found.key]: mirrored } };
  }
  return undefined;
}
