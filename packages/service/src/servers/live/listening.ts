/** @module Hearing what a server says of its own accord: that its lists have changed, and resources that are followed. */
import { type Connection, isObject, subscribe } from "@fettle/mcp";
import { type LiveCall, withServer } from "./session.ts";

/** A page that looks elsewhere for a moment, or follows one resource more, does not have the others let go and asked for again. */
const graceMs = 3_000;

/** Holds the connection, so that whoever looks on hears what comes on it. */
export function listen(call: LiveCall, { resources }: { resources: string[] }) {
  return withServer(
    call,
    async (connection, signal) => {
      const left = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => left.resolve(), { once: true });
      const hearing = await hear(connection, resources);
      if (!signal.aborted) await Promise.race([left.promise, connection.closed]);
      await hearing.stop();
      return { closed: !signal.aborted };
    },
    { listens: true },
  );
}

interface Hearing {
  stop(): Promise<void>;
}

/** What is heard is told with everything else on the wire, so that nothing is done with it here. */
async function hear(connection: Connection, resources: string[]): Promise<Hearing> {
  if (connection.era === "stateful") {
    await connection.listen();
    const { resources: offered } = connection.capabilities;
    const uris = isObject(offered) && offered.subscribe === true ? resources : [];
    const follow = followersOf(connection);
    await Promise.all(uris.map(follow.add));
    return { stop: async () => uris.forEach(follow.remove) };
  }
  const { tools, prompts, resources: offered } = connection.capabilities;
  const changes = (each: unknown) => isObject(each) && each.listChanged === true;
  const filter = {
    ...(changes(tools) && { toolsListChanged: true }),
    ...(changes(prompts) && { promptsListChanged: true }),
    ...(changes(offered) && { resourcesListChanged: true }),
    ...(resources.length > 0 && { resourceSubscriptions: resources }),
  };
  if (Object.keys(filter).length === 0) return { stop: async () => {} };
  const subscription = await subscribe(connection, filter, () => {});
  return { stop: () => subscription.close() };
}

interface Followers {
  add(uri: string): Promise<void>;
  remove(uri: string): void;
}

const followers = new WeakMap<Connection, Followers>();

/** Two pages may follow the same resource on one connection: the server is told of the first and of the last. */
function followersOf(connection: Connection): Followers {
  const known = followers.get(connection);
  if (known) return known;
  const counts = new Map<string, number>();
  const made: Followers = {
    async add(uri) {
      const count = counts.get(uri);
      counts.set(uri, (count ?? 0) + 1);
      if (count !== undefined) return;
      await connection.request("resources/subscribe", { uri }).catch((error: unknown) => {
        counts.delete(uri);
        throw error;
      });
    },
    remove(uri) {
      counts.set(uri, (counts.get(uri) ?? 1) - 1);
      setTimeout(() => {
        if (counts.get(uri) !== 0) return;
        counts.delete(uri);
        // The connection may be gone, and what was followed with it.
        connection.request("resources/unsubscribe", { uri }).catch(() => {});
      }, graceMs).unref();
    },
  };
  followers.set(connection, made);
  return made;
}
