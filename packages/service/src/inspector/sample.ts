/** @module The sample shop of the inspector: a server in its own process, so that a first call needs nothing else. */
import type { RunningBookshop } from "@fettle/samples";
import { createTurns } from "../core/turns.ts";
import type { LocalServer, SavedServers } from "./saved-servers.ts";

export interface LocalSample {
  /** Its saved server; kept anew where somebody removed it. */
  keep(): Promise<LocalServer>;
  /** Settles when a saved one can be talked to. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export function createLocalSample(servers: SavedServers, changed: () => void): LocalSample {
  const name = "Sample bookshop";
  const inTurn = createTurns();
  let shop: Promise<RunningBookshop> | undefined;
  const saved = () => servers.list().find(({ isSample }) => isSample);

  async function keep(): Promise<LocalServer> {
    shop ??= import("@fettle/samples").then(({ startBookshop }) => startBookshop());
    const { url } = await shop;
    const known = saved();
    // Its port is another one at each start.
    if (known && servers.endpointOf(known).url === url) return known;
    const kept = known
      ? (await servers.update(known, { url }, true)).server
      : await servers.create({ name, enabled: true, transportType: "http", url }, true);
    changed();
    return kept;
  }

  return {
    keep: () => inTurn(keep),
    ready: () =>
      inTurn(async () => {
        if (saved()) await keep();
      }),
    close: async () => (await shop)?.close(),
  };
}
