/** @module What the checks of apps judge, and how it is looked at: the tools, the listed resources, the widgets' documents. */
import { keysOf } from "@fettle/contract/core";
import {
  asMcpError,
  type Connection,
  isMcpError,
  isObject,
  type JsonObject,
  type ListWalk,
} from "@fettle/mcp";
import { askAgain } from "../verdict/ask-again.ts";
import { NothingToObserve } from "../verdict/check-result.ts";
import type { JudgingFacts } from "../verdict/rule.ts";
import type { Observers } from "../verdict/run-checks.ts";
import {
  declaresUi,
  isUiResource,
  metaOf,
  namesDocument,
  toolUiOf,
  type WidgetDialect,
  widgetMimeTypes,
} from "./tool-ui.ts";

/** A list as the server gave it, items that break the rules included; or what it said instead. */
export type SeenList =
  | { items: JsonObject[]; truncated: boolean }
  | { refused: string }
  | { unadvertised: true };

export interface SeenDocument {
  uri: string;
  /** Of the tools that name it, and of the type it is listed with. */
  dialects: WidgetDialect[];
  /** By a tool. */
  named: boolean;
  listed: boolean;
  answer: { contents: unknown } | { refused: string } | { unreachable: string };
}

/** A widget to be shown: one for each document and dialect. */
export interface WidgetToBoot {
  toolName: string;
  uri: string;
  dialect: WidgetDialect;
}

export interface SeenBoot extends WidgetToBoot {
  /** It said that it is initialized; or did not, and why; or nobody can say. */
  end: { begun: true } | { fault: string } | { unseen: string };
  /** Uncaught, before it had begun. */
  errors: string[];
}

/** Shows widgets in a real browser, with an empty result: handed in by whoever has one. */
export type BootWidgets = (widgets: readonly WidgetToBoot[], signal?: AbortSignal) => Promise<SeenBoot[]>;

export interface AppsObserved {
  tools: SeenList;
  resources: SeenList;
  documents: SeenDocument[];
  boots: SeenBoot[];
}

export interface AppsFacts extends JudgingFacts {
  /** Widgets that no tool names fail instead of being left alone. */
  requireUi: boolean;
}

export function appsObservers(
  connection: Connection,
  signal: AbortSignal | undefined,
  bootWidgets?: BootWidgets | undefined,
): Observers<AppsObserved> {
  return {
    tools: () => seenList(connection, "tools", () => connection.listTools({ signal })),
    resources: () => seenList(connection, "resources", () => connection.listResources({ signal })),
    documents: async (look) => {
      const [tools, resources] = await Promise.all([look("tools"), look("resources")]);
      return Promise.all(
        addressesOf(tools, resources).map(async ({ uri, ...rest }) => ({
          uri,
          ...rest,
          answer: await readDocument(connection, uri, signal),
        })),
      );
    },
    boots: async (look) => {
      if (!bootWidgets) throw new NothingToObserve("The widgets were not shown in a browser in this run.");
      const widgets = toBootOf(await look("tools"));
      return widgets.length === 0 ? [] : bootWidgets(widgets, signal);
    },
  };
}

/** The first tool that names a document stands for the others. */
function toBootOf(tools: SeenList): WidgetToBoot[] {
  const found = new Map<string, WidgetToBoot>();
  for (const tool of itemsOf(tools)) {
    const uris = toolUiOf(tool)?.uris ?? {};
    for (const dialect of keysOf(uris)) {
      const uri = uris[dialect];
      if (uri === undefined) continue;
      const key = `${dialect} ${uri}`;
      if (!found.has(key)) found.set(key, { toolName: nameOf(tool), uri, dialect });
    }
  }
  return [...found.values()];
}

/** What a server answers is to be judged; what it does not answer cannot be. */
const answers = new Set(["RPC_ERROR", "INVALID_RESULT", "INVALID_MESSAGE"]);

async function seenList(
  connection: Connection,
  capability: "tools" | "resources",
  list: () => Promise<ListWalk<JsonObject>>,
): Promise<SeenList> {
  if (!isObject(connection.capabilities[capability])) return { unadvertised: true };
  try {
    const { items, problems, truncated } = await askAgain(list);
    // A second item of the same name is among both, so each is taken once.
    const odd = problems.map(({ item }) => item).filter(isObject);
    return { items: [...new Set([...items, ...odd])], truncated };
  } catch (error) {
    if (isMcpError(error) && answers.has(error.code)) return { refused: error.message };
    throw error;
  }
}

function addressesOf(tools: SeenList, resources: SeenList): Omit<SeenDocument, "answer">[] {
  const found = new Map<string, Omit<SeenDocument, "answer">>();
  const at = (uri: string) => {
    const known = found.get(uri) ?? { uri, dialects: [], named: false, listed: false };
    found.set(uri, known);
    return known;
  };
  for (const tool of itemsOf(tools)) {
    const uris = toolUiOf(tool)?.uris ?? {};
    for (const dialect of keysOf(uris)) {
      const uri = uris[dialect];
      if (uri === undefined) continue;
      const document = at(uri);
      document.named = true;
      document.dialects = [...new Set([...document.dialects, dialect])];
    }
  }
  for (const resource of itemsOf(resources)) {
    if (!isUiResource(resource) || typeof resource.uri !== "string") continue;
    const document = at(resource.uri);
    document.listed = true;
    const isOther = resource.mimeType === widgetMimeTypes.openai;
    if (isOther && !document.named) document.dialects = ["openai"];
  }
  return [...found.values()];
}

async function readDocument(
  connection: Connection,
  uri: string,
  signal: AbortSignal | undefined,
): Promise<SeenDocument["answer"]> {
  try {
    const { contents } = await connection.readResource(uri, { ...(signal && { signal }), inputRounds: 0 });
    return { contents };
  } catch (error) {
    const { code, message } = asMcpError(error);
    return answers.has(code) ? { refused: message } : { unreachable: message };
  }
}

export function itemsOf(list: SeenList): JsonObject[] {
  return "items" in list ? list.items : [];
}

/** Tools that say anything about a widget, right or wrong. */
export function uiToolsOf(list: SeenList): JsonObject[] {
  return itemsOf(list).filter((tool) => declaresUi(metaOf(tool)));
}

/** Tools that name a widget's document. */
export function widgetToolsOf(list: SeenList): JsonObject[] {
  return itemsOf(list).filter((tool) => namesDocument(metaOf(tool)));
}

export function nameOf(item: JsonObject): string {
  return typeof item.name === "string" ? item.name : "(no name)";
}
