/** @module Every list of the contract: its own cursor goes on, and anything else is refused, never taken for a place. */
import { cursorFieldOf, type OperationDeclaration } from "@fettle/contract/core";
import type { OperationId } from "@fettle/contract/operations";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sealCursor } from "../core/routing/page.ts";
import { type OperationInput, operationInputs } from "../testing/operation-inputs.ts";
import { type TestService, testService } from "../testing/service.ts";
import { makeWorld, type World } from "../testing/world.ts";
import { allOperations } from "./every-operation/all-operations.ts";
import { pathOf } from "./route-table.ts";

let service: TestService;
let world: World;
let otherWorld: World;
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "10000" } });
  world = await makeWorld(service.app.db);
  otherWorld = await makeWorld(service.app.db);
  // Everything that any operation is about, so that lists have something to page through.
  for (const { params } of Object.values(operationInputs)) await params?.(world, service.app);
});
afterAll(() => service.close());

const lists = allOperations.filter((operation) => cursorFieldOf(operation) !== undefined);
const inputOf = ({ id }: OperationDeclaration): OperationInput =>
  (operationInputs as Record<string, OperationInput>)[id] ?? {};

async function pathTo(operation: OperationDeclaration, of = world) {
  const { projectId, organizationId } = of;
  const made = await inputOf(operation).params?.(of, service.app);
  const values: Record<string, string> = { projectId, organizationId, ...made };
  const names = [...pathOf(operation).matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const ids = Object.fromEntries(names.map((name) => [name, values[name] ?? "missing"]));
  if (isByQuery(operation)) ids.projectId = projectId;
  const path = pathOf(operation).replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
  return { path, ids };
}

const isByQuery = ({ access }: OperationDeclaration) => access.kind === "project" && access.from === "query";

async function read(
  operation: OperationDeclaration,
  path: string,
  query: Record<string, string>,
  of = world,
) {
  const { cookie, key } = of.people.owner;
  const search = new URLSearchParams({
    ...(isByQuery(operation) && { projectId: of.projectId }),
    ...inputOf(operation).query,
    ...query,
  });
  const headers = { cookie, "x-fettle-app": "1" };
  const {
    status,
    body,
    headers: told,
  } = await service.call(`${path}?${search}`, {
    ...(operation.surface === "app" ? { headers } : { key }),
  });
  return { status, body, next: body.nextCursor ?? told.get("x-fettle-next-cursor") ?? undefined };
}

/** What these lists hold takes a run, a visitor or a delivery; their own tests follow their pages. */
const emptyHere = [
  "exportTracesOtlp",
  "getUserTestingSession",
  "listAuditLog",
  "listCalibrations",
  "listChatSessions",
  "listFindings",
  "listJourneyRunSessions",
  "listJourneyRuns",
  "listServerHistory",
  "listSwarmFindings",
  "listUserTestingFindings",
  "listUserTestingSessions",
  "listWebhookDeliveries",
];

it("goes on after its own cursor, and refuses garbage, another list's or project's cursor, an old one and a broken one", async () => {
  const wrong: string[] = [];
  const withoutNext: string[] = [];
  for (const operation of lists) {
    const field = cursorFieldOf(operation)!;
    const { path, ids } = await pathTo(operation);
    const first = await read(operation, path, { limit: "1" });
    if (first.next === undefined) withoutNext.push(operation.id);
    else {
      const second = await read(operation, path, { limit: "1", [field]: first.next });
      const isNext = second.status === 200 && second.body.items[0].id !== first.body.items[0].id;
      if (!isNext) wrong.push(`${operation.id}: does not go on (${second.status})`);
      const elsewhere = await pathTo(operation, otherWorld);
      const stray = await read(operation, elsewhere.path, { [field]: first.next }, otherWorld);
      if (stray.status !== 400 && elsewhere.path !== path)
        wrong.push(`${operation.id}: ${stray.status} to another project's`);
    }
    const list = operation.id as OperationId;
    const other = lists.find(({ id }) => id !== list)!.id as OperationId;
    const place = `${Date.now()} ${world.projectId}`;
    const refused = {
      garbage: "garbage",
      "a number": "1",
      "another list's": sealCursor({ list: other, ids }, place),
      "one of another thing": sealCursor({ list, ids: { ...ids, of: "another" } }, place),
      "an old one": Buffer.from(place).toString("base64url"),
      "another version's": Buffer.from(`0 ${list} ${place}`).toString("base64url"),
      "an empty place": sealCursor({ list, ids }, ""),
      "too long a place": sealCursor({ list, ids }, `${place} more more more more`),
      "no kind of place": sealCursor({ list, ids }, "\0 1 2 3 4"),
    };
    for (const [what, cursor] of Object.entries(refused)) {
      const { status, body } = await read(operation, path, { [field]: cursor });
      const isRefused = status === 400 && body.details.code === "BAD_CURSOR" && body.details.hint;
      // What a list is of is looked for before its own cursor is read.
      const isElsewhere = status === 404 && first.status === 404 && what.includes("place");
      if (!isRefused && !isElsewhere) wrong.push(`${operation.id}: ${status} to ${what}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(withoutNext.sort()).toEqual(emptyHere);
});

it("knows every list: who answers with a next page takes a cursor, unless the pages are a server's own", () => {
  const answersNext = ({ output }: OperationDeclaration) =>
    output !== undefined && "shape" in output && "nextCursor" in (output.shape as object);
  const paged = allOperations.filter(({ query }) => /"(cursor|before)"/.test(fieldsOf(query)));
  expect(paged.filter((one) => answersNext(one) && !lists.includes(one)).map(({ id }) => id)).toEqual([]);
  expect(lists.length).toBeGreaterThan(20);
});

const fieldsOf = (query: OperationDeclaration["query"]) =>
  JSON.stringify(query && "shape" in query ? Object.keys(query.shape as object) : []);
