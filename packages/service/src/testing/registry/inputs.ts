/** @module What a test sends to the operations of registries, and how its directories are read without waiting for a worker. */
import type { App } from "../../core/app.ts";
import { saveCard } from "../../servers/registry/cards.ts";
import { searchDirectory } from "../../servers/registry/directory.ts";
import { syncRegistries } from "../../servers/registry/sync.ts";
import type { OperationInput } from "../operation-inputs.ts";
import type { World } from "../world.ts";

/** Reads every directory now. */
export async function readDirectories(app: App): Promise<void> {
  const { signal } = new AbortController();
  await syncRegistries({ app, signal, log: app.log, requireLease: async () => {} });
}

const anEntry = async (_: World, app: App) => {
  await readDirectories(app);
  const { items } = await searchDirectory(app, { q: "bookshop", connectableOnly: true, limit: 1 });
  return { idOrName: items[0]!.id };
};
const aCard = async ({ organizationId, people }: World, app: App) => {
  const place = { organizationId, userId: people.owner.userId, isAdmin: true };
  const wanted = {
    description: "",
    category: null,
    tags: [],
    publisher: null,
    useOAuth: false,
    oauthScopes: [],
  };
  const card = await saveCard(app, place, "shop", { ...wanted, url: "https://mcp.example/mcp" });
  return { cardName: card.name, registryServerId: card.id };
};

export const registryInputs = {
  searchRegistryDirectory: {},
  getRegistryDirectoryServer: { params: anEntry },
  listRegistryDirectorySources: {},
  listRegistryServers: {},
  listRegistryConnections: {},
  installRegistryDirectoryServer: {
    params: anEntry,
    body: (_, { idOrName }) => ({ catalogServerId: idOrName }),
  },
  installRegistryServer: {
    params: aCard,
    body: (_, { registryServerId }) => ({ registryServerId }),
  },
  saveRegistryCard: { params: () => ({ cardName: "new" }), body: () => ({ url: "https://mcp.example/mcp" }) },
  removeRegistryCard: { params: aCard },
} satisfies Record<string, OperationInput>;
