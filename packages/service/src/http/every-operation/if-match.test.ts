/** Whoever reads a revision can say with every change of the same resource that they have read it. */
import { answersRevision, expectedFieldOf, type OperationDeclaration } from "@fettle/contract/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { preparedOperation } from "../../testing/fuzz/prepared-operation.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { allOperations } from "./all-operations.ts";

/** Nobody changes one, so nobody can overwrite what somebody else has written. */
const changedByNobody: Record<string, string> = {
  getReadinessRun: "It changes by itself; deleting one that is not over is refused anyway.",
  getFinding: "It is dismissed or not, and saying so twice is the same.",
};

const reads = allOperations.filter((operation) => operation.built && answersRevision(operation));

/** The last resource that a path names: `/servers/{serverId}` of `…/servers/{serverId}`. */
const resourceOf = ({ path }: OperationDeclaration) => path.split("/").slice(-2).join("/");

/** What a write changes is named by its path, or by all but a last word of it. */
const readOf = (write: OperationDeclaration) =>
  reads.find(
    (read) =>
      resourceOf(read) === resourceOf(write) ||
      (write.path.startsWith(`${read.path}/`) &&
        !write.path.slice(read.path.length).includes("{") &&
        read.id !== "getProject"),
  );

const writes = allOperations.flatMap((operation) => {
  const read = operation.built && expectedFieldOf(operation) ? readOf(operation) : undefined;
  return read ? [[operation.id, operation, read] as const] : [];
});

describe("a resource with a revision", () => {
  it.each(reads.map((read) => [read.id, read] as const))(
    "%s: every write of it takes If-Match",
    (id, read) => {
      const own = allOperations.filter(
        (operation) =>
          operation.built && operation.method !== "GET" && resourceOf(operation) === resourceOf(read),
      );
      const heedless = own
        .filter((operation) => !expectedFieldOf(operation))
        .map((operation) => operation.id);
      if (id in changedByNobody) return;
      expect({ writes: own.length > 0, heedless }).toEqual({ writes: true, heedless: [] });
    },
  );
});

const withoutExpectations = (usual: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(usual).filter(([field]) => !field.startsWith("expected")));

describe("If-Match", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService();
  });
  afterAll(() => service.close());

  it.each(writes)(
    "%s: 412 with an old ETag, through with the current one, for one of eight at once, and with *",
    async (_, write, read) => {
      const one = await preparedOperation(service, write);
      const send = (tag: string, { ask } = one) =>
        ask({}, { headers: { "if-match": tag }, body: withoutExpectations });
      const stale = await send('W/"0.old"');
      expect([stale.status, await stale.json()]).toMatchObject([412, { code: "CONFLICT" }]);
      const tag = (await one.also(read)).headers.get("etag") ?? "none";
      const current = await send(tag);
      expect([current.ok, await current.text()]).toEqual([true, expect.any(String)]);

      const third = await preparedOperation(service, write);
      const same = (await third.also(read)).headers.get("etag") ?? "none";
      const atOnce = await Promise.all(Array.from({ length: 8 }, () => send(same, third)));
      const isChanged = (await third.also(read)).headers.get("etag") !== same;
      // Whoever comes when it has just been deleted finds nothing.
      const others = atOnce.filter(({ ok, status }) => !ok && status !== 412 && status !== 404);
      expect(others.map(({ status }) => status)).toEqual([]);
      expect(atOnce.filter(({ ok }) => ok)).toHaveLength(isChanged ? 1 : 8);

      const other = await preparedOperation(service, write);
      const any = await send("*", other);
      expect([any.ok, await any.text()]).toEqual([true, expect.any(String)]);
    },
  );
});
