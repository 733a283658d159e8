import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { OperationDeclaration } from "@fettle/contract/core";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { openTunnel } from "../servers/tunnels/tunnels.ts";
import { testDatabase } from "../testing/index.ts";
import { type OperationInput, operationInputs } from "../testing/operation-inputs.ts";
import { testService } from "../testing/service.ts";
import { makeWorld } from "../testing/world.ts";
import { allOperations } from "./every-operation/all-operations.ts";
import { pathOf } from "./route-table.ts";

/** Between the service and its database, so that a test can take the database away and bring it back. */
async function cuttable(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const socket = join(target.searchParams.get("host")!, `.s.PGSQL.${target.port || 5432}`);
  const passing = new Map<Socket, Socket>();
  let state: "whole" | "cut" | "frozen" = "whole";
  const proxy = createServer((client) => {
    if (state === "cut") return client.destroy();
    const server = connect(socket);
    passing.set(client, server);
    if (state === "whole") client.pipe(server).pipe(client);
    for (const end of [client, server]) end.on("error", () => {});
    client.on("close", () => server.destroy());
    server.on("close", () => client.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as { port: number };
  return {
    url: `postgres://${target.username}@127.0.0.1:${port}${target.pathname}`,
    cut: () => {
      state = "cut";
      for (const client of passing.keys()) client.destroy();
      passing.clear();
    },
    /** Connections stay, and new ones are taken, but nothing passes: a stopped process, or a network that drops it all. */
    freeze: () => {
      state = "frozen";
      for (const [client, server] of passing) for (const end of [client, server]) end.unpipe().pause();
    },
    mend: () => {
      state = "whole";
      for (const [client, server] of passing) client.pipe(server).pipe(client);
    },
  };
}

test.each([
  ["whose connections are cut", "cut"],
  ["that takes connections and never answers", "freeze"],
] as const)(
  "of a database %s every route says so with 503 and when to come back, and works again when it is back",
  async (_, trouble) => {
    await using database = await testDatabase();
    const way = await cuttable(database.url.reveal());
    await using service = await testService({ database, env: { DATABASE_URL: way.url } });
    const { app } = service;
    const world = await makeWorld(app.db);
    const { owner } = world.people;
    const opener = { projectId: world.projectId, userId: owner.userId, credentialId: owner.keyId };
    const grant = await openTunnel(app, app.db, opener, "behind", service.url);

    const calls: { id: string; path: string; init: RequestInit }[] = [];
    for (const operation of allOperations.filter(({ built }) => built)) {
      calls.push(await callOf(operation));
    }
    calls.push({
      id: "a tunnel's address",
      path: new URL(grant.url).pathname + new URL(grant.url).search,
      init: {},
    });
    calls.push({
      id: "an unknown route",
      path: "/api/v1/nowhere",
      init: { headers: { authorization: `Bearer ${owner.key}` } },
    });
    const form = { "content-type": "application/x-www-form-urlencoded" };
    calls.push({
      id: "the token endpoint",
      path: "/api/cli/auth/token",
      init: { method: "POST", headers: form, body: "grant_type=refresh_token" },
    });

    // Some connections are in the pool then, and others have to be made.
    await Promise.all(Array.from({ length: 5 }, () => app.pool.query("SELECT 1")));
    way[trouble]();
    const wrong: string[] = [];
    let unavailable = 0;
    const askedAt = performance.now();
    await Promise.all(
      calls.map(async ({ id, path, init }) => {
        const response = await fetch(service.url + path, { redirect: "manual", ...init });
        // Ten are promised of one; here hundreds are asked at once, perhaps on a machine that is busy with something else.
        const tookMs = performance.now() - askedAt;
        if (tookMs > 40_000) wrong.push(`${id}: ${Math.round(tookMs)} ms`);
        const text = await response.text();
        const { code = undefined, details = {} } = text.startsWith("{") ? JSON.parse(text) : {};
        const isTold =
          response.status === 503 && code === "UNAVAILABLE" && details.reason === "database_down";
        if (isTold && Number(response.headers.get("retry-after")) > 0) unavailable += 1;
        // What needs no database (the API's description, a list of templates) may work.
        else if (response.status >= 500) wrong.push(`${id}: ${response.status} ${text.slice(0, 200)}`);
      }),
    );
    expect(wrong).toEqual([]);
    expect(unavailable).toBeGreaterThan(calls.length * 0.9);
    expect(await service.call("/readyz")).toMatchObject({
      status: 503,
      body: { ready: false, reason: "database_down" },
    });
    expect(await service.call("/metrics")).toMatchObject({
      status: 200,
      body: expect.stringContaining("fettle_http_requests_total"),
    });
    const host = new WebSocket(grant.relayWsUrl, "fettle-tunnel.v1", {
      headers: { authorization: `Bearer ${grant.connectToken}` },
    });
    const [closeCode, reason] = await once(host, "close");
    expect([closeCode, String(reason)]).toEqual([1013, "database_down"]);

    way.mend();
    await vi.waitFor(async () => expect((await service.call("/readyz")).status).toBe(200), 60_000);
    expect((await service.call("/api/v1/me", { key: owner.key })).status).toBe(200);

    async function callOf(operation: OperationDeclaration) {
      const { params, query, body } = (operationInputs as Record<string, OperationInput>)[operation.id] ?? {};
      const values: Record<string, string> = {
        projectId: world.projectId,
        organizationId: world.organizationId,
        ...(await params?.(world, app)),
      };
      const path = pathOf(operation).replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => values[name] ?? `${name}_missing`,
      );
      const search = new URLSearchParams({ projectId: world.projectId, ...query });
      const hasBody = operation.method !== "GET" && body !== undefined;
      const init = {
        method: operation.method,
        headers: {
          ...(operation.surface === "app"
            ? { cookie: owner.cookie, "x-fettle-app": "1" }
            : { authorization: `Bearer ${owner.key}` }),
          ...(hasBody && { "content-type": "application/json" }),
        },
        ...(hasBody && { body: JSON.stringify(body(world, values)) }),
      };
      return { id: operation.id, path: `${path}?${search}`, init };
    }
  },
);

test("a read-only database is told by /readyz and by every write, while what is there can be read", async () => {
  await using database = await testDatabase();
  await using service = await testService({ database });
  const world = await makeWorld(service.app.db);
  const { cookie } = world.people.owner;
  const name = new URL(database.url.reveal()).pathname.slice(1);
  await database.db.execute(sql.raw(`alter database ${name} set default_transaction_read_only = on`));
  await database.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`,
  );
  await vi.waitFor(async () => {
    expect(await service.call("/readyz")).toMatchObject({
      status: 503,
      body: { ready: false, reason: "read_only" },
    });
  }, 60_000);
  const page = { headers: { cookie, "x-fettle-app": "1", origin: service.url } };
  const made = await service.call("/app/organizations", { method: "POST", body: { name: "New" }, ...page });
  expect(made).toMatchObject({
    status: 503,
    body: { code: "UNAVAILABLE", details: { reason: "read_only" } },
  });
  expect(made.headers.get("retry-after")).toBe("15");
});
