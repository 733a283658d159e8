/** @module Every operation that takes an idempotency key, called with one and without a body: what is optional may be left out whole. */
import type { OperationDeclaration } from "@fettle/contract/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OperationInput, operationInputs } from "../../testing/operation-inputs.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { makeWorld } from "../../testing/world.ts";
import { pathOf } from "../route-table.ts";
import { allOperations } from "./all-operations.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const keyed = allOperations.filter(({ built, idempotent }) => built && idempotent !== undefined);

async function sender(operation: OperationDeclaration) {
  const { params, query }: OperationInput =
    (operationInputs as Record<string, OperationInput>)[operation.id] ?? {};
  const world = await makeWorld(service.app.db);
  const { projectId, organizationId, people } = world;
  const values: Record<string, string> = {
    projectId,
    organizationId,
    ...(await params?.(world, service.app)),
  };
  const path = pathOf(operation).replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "missing");
  const isOfQuery = operation.access.kind === "project" && operation.access.from === "query";
  const search = new URLSearchParams({ ...(isOfQuery && { projectId }), ...query });
  const { key, cookie } = people.owner;
  return (body?: object) =>
    service.call(`${path}?${search}`, {
      method: operation.method,
      headers: {
        ...(operation.surface === "app"
          ? { cookie, "x-fettle-app": "1" }
          : { authorization: `Bearer ${key}` }),
        "idempotency-key": "the same",
      },
      ...(body && { body }),
    });
}

it("answers a request without a body as one with an empty body, and never fails", async () => {
  const faults: string[] = [];
  const replayed: string[] = [];
  for (const operation of keyed) {
    const send = await sender(operation);
    const bare = await send();
    // A model or a server that is out of reach is no fault of ours.
    if (bare.status >= 500 && bare.status !== 502) faults.push(`${operation.id}: ${bare.status}`);
    if (operation.idempotent !== true || bare.status >= 300) continue;
    const empty = await send({});
    expect([operation.id, empty.status, empty.body]).toEqual([operation.id, bare.status, bare.body]);
    if (empty.headers.has("idempotency-replayed")) replayed.push(operation.id);
  }
  expect(faults).toEqual([]);
  expect(replayed.length).toBeGreaterThan(2);
});

it("knows a repetition by the header wherever a body takes the key", () => {
  // A page always sends it in the body.
  const keyedBodies = allOperations.filter(
    ({ built, body, surface }) =>
      built && surface !== "app" && body && "shape" in body && "idempotencyKey" in (body.shape as object),
  );
  expect(keyedBodies.length).toBeGreaterThan(5);
  expect(keyedBodies.filter(({ idempotent }) => idempotent !== "own").map(({ id }) => id)).toEqual([]);
});
