/** @module What a project and its open server hold, as the palette finds it: one row for each kind. */
import { counted } from "@fettle/contract/formats";
import { type QueryKey, useQueries } from "@tanstack/react-query";
import { toolsQuery } from "../../api/listed-tools.ts";
import { type AnswerOf, call, type InputOf, queryClient } from "../../api/operation.ts";
import type { ServerAddress } from "../../api/server-calls.ts";
import type { OperationId } from "../../api/topics.ts";
import { promptsQuery } from "../../features/prompts/queries.ts";
import { resourcesQuery } from "../../features/resources/queries.ts";
import { pagePath } from "../../pages/pages.ts";
import type { PaletteEntry } from "./palette-entries.ts";

/** Its name, a word about it, and where it is shown. */
type Thing = [label: unknown, about: unknown, to: string, search?: Record<string, string>];

interface Kind {
  group: PaletteEntry["group"];
  key: QueryKey;
  read: (signal: AbortSignal) => Promise<readonly Thing[]>;
}

/** Of a list the newest page: what is older is found on the list itself. */
function listed<Id extends OperationId, Item>(
  group: PaletteEntry["group"],
  id: Id,
  input: InputOf<Id>,
  itemsOf: (answer: AnswerOf<Id>) => readonly Item[],
  thing: (item: Item) => Thing,
): Kind {
  return {
    group,
    key: [id, input],
    read: async (signal) => itemsOf(await call(id, input, { signal })).map(thing),
  };
}

const items = <Item>(answer: { items: readonly Item[] }) => answer.items;

const inProject = (pid: string): Kind[] => {
  const here = { projectId: pid };
  return [
    listed("Servers", "listProjectServers", here, items, ({ id, name, url }) => [
      name,
      url,
      pagePath("server-overview", { pid, sid: id }),
    ]),
    listed("Clients", "listClients", here, items, ({ id, name, hostStyle }) => [
      name,
      hostStyle,
      pagePath("client-settings", { pid, cid: id }),
    ]),
    listed("Environments", "listEnvironments", here, items, ({ id, name, description }) => [
      name,
      description,
      pagePath("environment-settings", { pid, eid: id }),
    ]),
    listed("Suites", "listEvalSuites", here, items, ({ id, name, caseCount }) => [
      name,
      counted(caseCount, "case"),
      pagePath("eval-results", { pid, suid: id }),
    ]),
    listed("Runs", "listEvalRuns", { ...here, query: {} }, items, ({ id, suiteName, status }) => [
      suiteName,
      `eval, ${status}`,
      pagePath("eval-run", { pid, erid: id }),
    ]),
    listed("Runs", "listConformanceRuns", { ...here, query: {} }, items, ({ id, target, status }) => [
      target.serverRef ?? target.serverUrl ?? "Conformance run",
      `conformance, ${status}`,
      pagePath("conformance-run", { pid, rid: id }),
    ]),
    listed("Scenarios", "listScenarios", here, items, ({ id, name, description }) => [
      name,
      description,
      pagePath("scenario", { pid, scid: id }),
    ]),
    listed("Swarms", "listSwarms", { ...here, query: {} }, items, ({ id, name, description }) => [
      name,
      description,
      pagePath("swarm-matrix", { pid, swid: id }),
    ]),
    listed("Journeys", "listJourneys", { ...here, query: {} }, items, ({ id, name, goal }) => [
      name,
      goal,
      pagePath("journey-results", { pid, jid: id }),
    ]),
    listed(
      "Conversations",
      "listSessions",
      { ...here, query: { sourceType: "direct" } },
      items,
      (session) => [
        session.title || session.firstMessagePreview,
        session.title && session.firstMessagePreview,
        pagePath("playground-session", { pid, chat: session.id }),
      ],
    ),
  ];
};

/** Asked for only when a page of the server is open; what it answered before is not asked again. */
const onServer = (address: ServerAddress): Kind[] => {
  const at = { pid: address.projectId, sid: address.serverId };
  return [
    {
      group: "Tools",
      key: ["listTools", address],
      read: async () =>
        (await queryClient.ensureQueryData(toolsQuery(address))).items.map(({ name, title, description }) => [
          name,
          title ?? description,
          pagePath("server-tools", at),
          { tool: name },
        ]),
    },
    {
      group: "Prompts",
      key: ["listPrompts", address],
      read: async () =>
        (await queryClient.ensureQueryData(promptsQuery(address))).items.map(
          ({ name, title, description }) => [
            name,
            title ?? description,
            pagePath("server-prompts", at),
            { prompt: name },
          ],
        ),
    },
    {
      group: "Resources",
      key: ["listResources", address],
      read: async () =>
        (await queryClient.ensureQueryData(resourcesQuery(address))).resources.map(({ name, uri }) => [
          name ?? uri,
          uri,
          pagePath("server-resources", at),
          { uri },
        ]),
    },
  ];
};

/**
 * Everything with a name in the open project, and on the open server, once it is there. What cannot be read is left out: its own page
 * says why.
 */
export function usePaletteThings(
  { pid, sid }: { pid?: string; sid?: string },
  navigate: (to: string, search?: Record<string, string>) => void,
): PaletteEntry[] {
  const kinds = pid ? [...(sid ? onServer({ projectId: pid, serverId: sid }) : []), ...inProject(pid)] : [];
  const answers = useQueries({
    queries: kinds.map(({ key, read }) => ({
      // A key of its own: a page may keep many pages of the same list under the usual one.
      queryKey: [...key, "palette"],
      queryFn: ({ signal }: { signal: AbortSignal }) => read(signal),
      retry: false,
    })),
  });
  return kinds.flatMap(({ group }, index) =>
    (answers[index]?.data ?? []).map(([label, about, to, search]) => ({
      id: `${to}?${new URLSearchParams(search)}`,
      group,
      label: String(label),
      about: String(about ?? ""),
      onlyTyped: true,
      run: () => navigate(to, search),
    })),
  );
}
