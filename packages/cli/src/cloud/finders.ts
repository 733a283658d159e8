/** @module How each kind of thing is found by its id or name: one line per kind. */
import { ApiError } from "@fettle/contract/core";
import { findEnvironment } from "./find-environment.ts";
import type { InProject } from "./in-project.ts";
import type { OperationId } from "./operation-command.ts";
import { pickByIdOrName } from "./project-selection.ts";

export interface Found {
  id: string;
  name: string | null;
}

type Place = Pick<InProject, "client" | "projectId">;

/** Asked for one thing or for many, a list is read once. */
type Finder = (place: Place) => Promise<(selector: string) => Found | Promise<Found>>;

export type Noun =
  | "client"
  | "server"
  | "server group"
  | "skill"
  | "image"
  | "shared image"
  | "environment"
  | "archived environment"
  | "suite"
  | "scenario"
  | "webhook"
  | "persona"
  | "journey"
  | "swarm"
  | "organization";

export const finders: Record<Noun, Finder> = {
  client:
    async ({ client, projectId }) =>
    async (selector) => {
      try {
        return await client.getClient({ projectId, client: selector });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "NOT_FOUND") throw error;
        const { items } = await client.listClients({ projectId });
        return pickByIdOrName("client", selector, items);
      }
    },
  server: async ({ client, projectId }) => {
    const { items } = await client.listProjectServers({ projectId });
    return (selector) => pickByIdOrName("server", selector, items);
  },
  "server group": async ({ client, projectId }) => {
    const { items } = await client.listServerGroups({ projectId });
    return (selector) => pickByIdOrName("server group", selector, items);
  },
  skill: async ({ client, projectId }) => {
    const { items } = await client.listProjectSkills({ projectId });
    return (selector) => pickByIdOrName("skill", selector, items);
  },
  image: async ({ client, projectId }) => {
    const { items } = await client.listSandboxImages({ projectId });
    return (selector) => pickByIdOrName("image", selector, items);
  },
  // Drafts may have the names of shared ones; one that alone is called that goes on, and is refused as what it is.
  "shared image": async ({ client, projectId }) => {
    const { items } = await client.listSandboxImages({ projectId });
    const shared = items.filter(({ sharing }) => sharing === "project");
    const isOf = (selector: string) => (one: Found) =>
      one.id === selector || one.name?.toLowerCase() === selector.toLowerCase();
    return (selector) =>
      shared.some(isOf(selector)) || !items.some(isOf(selector))
        ? pickByIdOrName("shared image", selector, shared)
        : pickByIdOrName("image", selector, items);
  },
  environment:
    async ({ client, projectId }) =>
    (selector) =>
      findEnvironment(client, projectId, selector),
  "archived environment":
    async ({ client, projectId }) =>
    (selector) =>
      findEnvironment(client, projectId, selector, "archived"),
  suite: async ({ client, projectId }) => {
    const { items } = await client.listEvalSuites({ projectId });
    return (selector) => pickByIdOrName("suite", selector, items);
  },
  scenario: async ({ client, projectId }) => {
    const { items } = await client.listScenarios({ projectId });
    return (selector) => pickByIdOrName("scenario", selector, items);
  },
  webhook: async ({ client, projectId }) => {
    const { items } = await client.listWebhooks({ projectId });
    return (selector) => pickByIdOrName("webhook", selector, items);
  },
  persona: async ({ client, projectId }) => {
    const items = await everyPage((query) => client.listPersonas({ projectId, query }));
    return (selector) => pickByIdOrName("persona", selector, items);
  },
  journey: async ({ client, projectId }) => {
    const items = await everyPage((query) => client.listJourneys({ projectId, query }));
    return (selector) => pickByIdOrName("journey", selector, items);
  },
  swarm: async ({ client, projectId }) => {
    const items = await everyPage((query) => client.listSwarms({ projectId, query }));
    return (selector) => pickByIdOrName("swarm", selector, items);
  },
  organization: async ({ client }) => {
    const { items } = await client.listOrganizations();
    return (selector) => pickByIdOrName("organization", selector, items);
  },
};

/** Lists that are read a page at a time. */
async function everyPage<Item>(
  read: (query: { cursor?: string }) => Promise<{ items: Item[]; nextCursor?: string | undefined }>,
): Promise<Item[]> {
  const all: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor === undefined ? {} : { cursor });
    all.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}

/** Finding one of these is reading it: nothing is left to ask. */
export const readByFinding: Partial<Record<OperationId, Noun>> = {
  getProjectServer: "server",
  getEnvironment: "environment",
  getWebhook: "webhook",
};
