import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type InspectorState, inspectorService } from "@fettle/contract/inspector";
import { expect, onTestFinished, test } from "vitest";
import { stateFolder } from "../files/home.ts";
import { testWorld } from "../testing/world.ts";
import { findInspector } from "./control.ts";

test("an inspector that answers late, as on a busy machine, is found all the same", async () => {
  const health = { service: inspectorService, version: "0.1.0", startId: "first" };
  const server = createServer((_, response) => {
    setTimeout(() => response.end(JSON.stringify(health)), 4_000);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const world = await testWorld();
  const state: InspectorState = {
    pid: process.pid,
    startId: "first",
    version: "0.1.0",
    url,
    sandboxUrl: url,
    token: "secret",
    startedAt: new Date().toISOString(),
  };
  mkdirSync(stateFolder(world), { recursive: true });
  writeFileSync(join(stateFolder(world), "inspector.json"), JSON.stringify(state));
  expect(await findInspector(world, undefined)).toMatchObject({ url, startId: "first" });
});
