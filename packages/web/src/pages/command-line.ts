/** @module A page's command in the terminal, and its call of the API: `fettle cloud skills get --project prj_1 --skill skl_2`. */
import { apiRoutes, appRoutes, operationCommands } from "@fettle/contract/client";
import { addressPart, must, shellWord } from "@fettle/contract/formats";
import type { PageDeclaration } from "./page.ts";
import { type PageId, parametersOf } from "./pages.ts";

type Known = Readonly<Record<string, string>>;

const routes: Readonly<Record<string, string>> = { ...apiRoutes, ...appRoutes };

/** Commands with `{name}` where a value goes, the fullest first; none when the page has none. */
export function commandTemplates({ path, terminal }: PageDeclaration): readonly string[] {
  if (!terminal || "none" in terminal) return [];
  if ("commands" in terminal) return terminal.commands;
  const { operation, with: more } = terminal;
  // The operation's path and the page's name the same things in the same order, under longer and shorter names.
  const given = parametersOf({ path });
  const route = must(routes[operation], "a route for each operation");
  const flags = namesIn(route).map((name, at) => {
    const word = name.replace(/Id$/, "");
    return `--${word} {${given[at] ?? word}}`;
  });
  const command = [operationCommands[operation], ...flags].join(" ");
  return more === undefined ? [command] : [`${command} ${more}`, command];
}

/** Ready to be pasted; undefined where not even the plainest command has all it needs. */
export function commandLine(page: PageDeclaration, known: Known): string | undefined {
  const template = commandTemplates(page).find((each) => namesIn(each).every((name) => name in known));
  return template?.replace(/\{(\w+)\}/g, (_, name: string) =>
    shellWord(must(known[name], "a value for each name")),
  );
}

function namesIn(template: string): string[] {
  return template.match(/(?<=\{)\w+(?=\})/g) ?? [];
}

interface ApiCall {
  operation: keyof typeof apiRoutes;
  /** What it is sent, once what it takes is known. */
  body?: (known: Known) => string | undefined;
}

const nothing = () => "{}";

/** What pages of a server do through the API, where their command reaches the server by itself. */
const calls: { [Id in PageId]?: readonly ApiCall[] } = {
  "server-overview": [{ operation: "runDoctor", body: nothing }],
  "server-tools": [
    {
      operation: "callTool",
      body: ({ tool, arguments: given }) =>
        tool !== undefined && given !== undefined
          ? `{"toolName":${JSON.stringify(tool)},"parameters":${given}}`
          : undefined,
    },
    { operation: "listTools", body: nothing },
  ],
  "server-resources": [
    {
      operation: "readResource",
      body: ({ uri }) => (uri === undefined ? undefined : JSON.stringify({ uri })),
    },
    { operation: "listResources", body: nothing },
  ],
  "server-prompts": [
    {
      operation: "getPrompt",
      body: ({ prompt, arguments: given }) =>
        prompt !== undefined && given !== undefined
          ? `{"promptName":${JSON.stringify(prompt)},"arguments":${given}}`
          : undefined,
    },
    { operation: "listPrompts", body: nothing },
  ],
  "server-conformance": [{ operation: "startConformanceRun", body: nothing }],
  "server-traffic": [{ operation: "validateServer", body: nothing }],
  conformance: [{ operation: "listConformanceRuns" }],
  "conformance-run": [{ operation: "getConformanceRun" }],
};

/** The same by `curl`, for an operation that reads, or whose body is known; the key stays in the environment. */
export function curlLine(page: PageDeclaration, known: Known, origin: string): string | undefined {
  const { path, terminal } = page;
  const own = terminal && "operation" in terminal ? [{ operation: terminal.operation }] : [];
  // Pages are known by their ids.
  const wanted: readonly (Omit<ApiCall, "operation"> & { operation: string })[] =
    calls[page.id as PageId] ?? own;
  for (const { operation, body } of wanted) {
    const [method, route = ""] = (apiRoutes as Record<string, string>)[operation]?.split(" ") ?? [];
    const sent = body?.(known);
    if (method === undefined || (body ? sent === undefined : method !== "GET")) continue;
    const given = parametersOf({ path });
    const names = namesIn(route);
    const values = names.flatMap((name, at) => {
      const value = known[given[at] ?? name];
      return value === undefined ? [] : [{ name, value }];
    });
    if (values.length < names.length) continue;
    const filled = values.reduce(
      (text, { name, value }) => text.replace(`{${name}}`, addressPart(value)),
      route,
    );
    return [
      "curl",
      shellWord(`${origin}/api/v1${filled}`),
      '-H "Authorization: Bearer $FETTLE_API_KEY"',
      ...(sent === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${shellWord(sent)}`]),
    ].join(" ");
  }
  return undefined;
}
