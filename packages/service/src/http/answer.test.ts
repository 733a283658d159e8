import { ApiError } from "@fettle/contract/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bindingOf } from "../start/bindings.ts";
import { createRawRoutes } from "../start/raw-routes.ts";
import { type TestApp, testApp } from "../testing/index.ts";
import { createMetrics } from "./metrics.ts";
import { createServer } from "./server.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

it.each([
  ["a code that the operation declares", "NOT_FOUND", true, 404],
  ["a code that it does not declare", "TIMEOUT", true, 500],
  ["the same, where nobody checks", "TIMEOUT", false, 504],
] as const)("a refusal with %s answers as its status says", async (_, code, checkOutputs, status) => {
  const metrics = createMetrics();
  const server = createServer({
    app,
    bindingOf: async (id) =>
      id === "getBootstrap" ? () => Promise.reject(new ApiError(code, "Not now.")) : bindingOf(id),
    rawRoutes: createRawRoutes({ readiness: { reason: undefined }, metrics, webFolder: undefined }),
    metrics,
    stopping: new AbortController().signal,
    checkOutputs,
  });
  await server.ready();
  const headers = { "x-fettle-app": "1" };
  const answer = await server.inject({ method: "GET", url: "/app/bootstrap", headers });
  await server.close();
  expect(answer.statusCode).toBe(status);
});
