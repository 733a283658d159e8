/** @module Reading resources and prompts: what is listed may be read, and what is not there must be refused. */
import { isObject, type JsonObject } from "@fettle/mcp";
import type { Attempt, Exchange } from "../conversation/exchange.ts";
import { capabilitiesOf } from "../conversation/talk.ts";
import { namesOf, objectsOf, requireWhole } from "../lists/observe.ts";
import { expandTemplate } from "../lists/uri-template.ts";
import type { ObserversOf, ProtocolLook, RunContext } from "../run-context.ts";

export interface ReadingSeen {
  /** A few listed resources, the official fixtures among them. */
  reads: { uri: string; exchange: Exchange }[];
  /** The official template, filled in. */
  templateRead: Attempt;
  subscription: { subscribe: Attempt; unsubscribe: Attempt };
  /** A resource that no server has. */
  /** Undefined where the server offers no resources. */
  missingResource: Exchange | undefined;
  /** Prompts that may be fetched: without arguments, official, or named by the operator. */
  promptGets: { prompt: string; arguments: JsonObject; exchange: Exchange }[];
  /** A prompt without an argument that it requires. */
  incompletePrompt: Attempt;
}

declare module "../seen.ts" {
  interface ProtocolSeen extends ReadingSeen {}
}

export const templateFixture = "test://template/{id}/data";
export const templateValue = "123";
export const missingUri = "test://fettle-no-such-resource";

export const promptFixtures: Record<string, Record<string, string>> = {
  test_simple_prompt: {},
  test_prompt_with_arguments: { arg1: "testValue1", arg2: "testValue2" },
  test_prompt_with_embedded_resource: { resourceUri: "test://example-resource" },
  test_prompt_with_image: {},
};

const maxReads = 4;
const maxPrompts = 4;

export function readingObservers({ talk, fixtures }: RunContext): ObserversOf<ReadingSeen> {
  const read = (uri: string) => talk.ask("resources/read", { uri });
  const getPrompt = async (prompt: string, args: Record<string, string>) => ({
    prompt,
    arguments: args,
    exchange: await talk.ask("prompts/get", { name: prompt, arguments: args }),
  });
  return {
    reads: async (look) => {
      const uris = namesOf(await look("resources"), "uri");
      const official = uris.filter((uri) => /^test:\/\/static-(text|binary)$/.test(uri));
      const chosen = [...new Set([...official, ...uris])].slice(0, maxReads);
      return Promise.all(chosen.map(async (uri) => ({ uri, exchange: await read(uri) })));
    },
    templateRead: async (look) => {
      const templates = namesOf(await look("resourceTemplates"), "uriTemplate");
      const uri = expandTemplate(templateFixture, { id: templateValue });
      if (!templates.includes(templateFixture) || uri === undefined) {
        return { kind: "no-subject", why: "No template whose values are known." };
      }
      return { kind: "done", exchange: await read(uri) };
    },
    subscription: async (look) => {
      const [first] = await subscribable(look);
      const none: Attempt = { kind: "no-subject", why: "No resource is listed that could be watched." };
      if (first === undefined) {
        requireWhole(await look("resources"));
        return { subscribe: none, unsubscribe: none };
      }
      const subscribe = await talk.ask("resources/subscribe", { uri: first });
      const unsubscribe = await talk.ask("resources/unsubscribe", { uri: first });
      return {
        subscribe: { kind: "done", exchange: subscribe },
        unsubscribe: { kind: "done", exchange: unsubscribe },
      };
    },
    missingResource: async (look) => ((await offersResources(look)) ? read(missingUri) : undefined),
    promptGets: async (look) => {
      const prompts = objectsOf(await look("prompts"));
      const names = prompts.flatMap(({ name }) => (typeof name === "string" ? [name] : []));
      // A fixture server also has prompts that ask back; the contract says which are plain.
      const plain = (await look("hasContract").catch(() => false))
        ? Object.entries(promptFixtures).filter(([name]) => names.includes(name))
        : prompts
            .filter((prompt) => requiredArguments(prompt).length === 0)
            .flatMap(({ name }) => (typeof name === "string" ? [[name, {}] as const] : []))
            .slice(0, maxPrompts);
      const named = fixtures.promptGets.map(({ promptName, arguments: args }) => [promptName, args] as const);
      const chosen = new Map<string, Record<string, string>>([...plain, ...named]);
      if (chosen.size === 0) requireWhole(await look("prompts"));
      return Promise.all([...chosen].map(([prompt, args]) => getPrompt(prompt, args)));
    },
    incompletePrompt: async (look) => {
      const prompt = objectsOf(await look("prompts")).find((item) => requiredArguments(item).length > 0);
      if (!prompt) return { kind: "no-subject", why: "No prompt requires an argument." };
      return {
        kind: "done",
        exchange: await talk.ask("prompts/get", { name: prompt.name, arguments: {} }),
      };
    },
  };
}

/** Where they are declared and the list is unknown, so is reading. */
async function offersResources(look: ProtocolLook): Promise<boolean> {
  if (!("resources" in capabilitiesOf(await look("opening")))) return false;
  return !(await look("resources").catch(() => undefined))?.isRefused;
}

async function subscribable(look: ProtocolLook): Promise<string[]> {
  const uris = namesOf(await look("resources"), "uri");
  const watched = "test://watched-resource";
  return uris.includes(watched) ? [watched] : uris;
}

export function requiredArguments({ arguments: declared }: JsonObject): JsonObject[] {
  return Array.isArray(declared)
    ? declared.filter((item): item is JsonObject => isObject(item) && item.required === true)
    : [];
}
