import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bindingOf, loadBindings, operationRooms } from "../start/bindings.ts";
import { createRawRoutes } from "../start/raw-routes.ts";
import { type TestApp, testApp } from "../testing/index.ts";
import { allOperations } from "./every-operation/all-operations.ts";
import { createMetrics } from "./metrics.ts";
import { createAllowedMethods, pathsOf, renderRawRoutes, routerPath } from "./route-table.ts";
import { createServer } from "./server.ts";

const metrics = createMetrics();
const rawRoutes = createRawRoutes({ readiness: { reason: undefined }, metrics, webFolder: undefined });

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

it("keeps the committed table of raw routes fresh", async () => {
  await expect(renderRawRoutes(rawRoutes)).toMatchFileSnapshot("../../generated/raw-routes.md");
});

it("keeps the committed table of rooms fresh, which leads every built operation to what its room binds", async () => {
  await expect(operationRooms()).resolves.toBe(
    await readFile(join(import.meta.dirname, "../../generated/operation-rooms.ts"), "utf8"),
  );
  const all: Record<string, unknown> = await loadBindings();
  const built = allOperations.filter((operation) => operation.built).map(({ id }) => id);
  expect(Object.keys(all).sort()).toEqual(built.sort());
  for (const id of built) expect(await bindingOf(id), id).toBe(all[id]);
});

it("answers the declared routes and no other", async () => {
  const stopping = new AbortController().signal;
  const server = createServer({ app, bindingOf, rawRoutes, metrics, stopping, checkOutputs: true });
  await server.ready();
  const registered = routesOf(server.printRoutes({ commonPrefix: false }));
  const declared = [
    ...allOperations.flatMap((operation) =>
      pathsOf(operation).map((path) => `${operation.method} ${routerPath(path)}`),
    ),
    ...rawRoutes.flatMap(({ methods, path }) => methods.map((method) => `${method} ${routerPath(path)}`)),
  ];
  expect(registered.filter((route) => !route.startsWith("HEAD ")).sort()).toEqual(declared.sort());
  await server.close();
});

it("says which methods a path takes, whichever ids are in it", () => {
  const allowed = createAllowedMethods(rawRoutes);
  expect(allowed("/api/v1/projects/p1")).toEqual(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH"]);
  expect(allowed("/app/events")).toEqual(["GET", "OPTIONS"]);
  expect(allowed("/api/v1/projects/p1/nothing/here")).toEqual([]);
});

/** Reads the router's own drawing: each line adds a piece of path to the line it hangs from, and names its methods. */
function routesOf(drawing: string): string[] {
  const pieces: string[] = [];
  return drawing.split("\n").flatMap((line) => {
    const [, indent, piece, methods] = /^((?:│ {3}| {4})*)[├└]── (\S*)(?: \((.+)\))?$/.exec(line) ?? [];
    if (indent === undefined) return [];
    pieces.length = indent.length / 4;
    pieces.push(piece!);
    // A wildcard stands beside the root in the drawing, not below it.
    const path = pieces.join("").replace(/^\*/, "/*");
    return methods?.split(", ").map((method) => `${method} ${path}`) ?? [];
  });
}
