import { idOf, limits, type OrganizationId } from "@fettle/contract/core";
import type { Pool, QueryConfig } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestApp, testApp } from "../testing/app.ts";
import { makeOrganization } from "../testing/people.ts";
import type { Intent } from "./budget-store.ts";
import { createIntents } from "./intents.ts";

let app: TestApp;
let organizationId: OrganizationId;
beforeAll(async () => {
  app = await testApp();
  organizationId = await makeOrganization(app.db);
});
afterAll(() => app[Symbol.asyncDispose]());

let count = 0;
const intent = (of: OrganizationId = organizationId): Intent => ({
  id: `intent ${++count}`,
  organizationId: of,
  projectId: null,
  source: { kind: "chat", id: "cht_1" },
  model: "any",
  estimateUsd: null,
  at: Date.now(),
});
/** As if it had been deleted a moment ago. */
const gone = () => intent(idOf<"organization">().parse("org_gone"));

/** Answers which statement wrote how many, and can hold the first or fail. */
function watched(onQuery: (at: number) => Promise<void> | void = () => {}) {
  const sizes: number[] = [];
  const query = async (config: QueryConfig<unknown[][]>) => {
    sizes.push(config.values?.[0]?.length ?? 0);
    await onQuery(sizes.length);
    return app.pool.query(config);
  };
  const pool: Pick<Pool, "query"> = Object.create(app.pool, { query: { value: query } });
  return { intents: createIntents({ pool }), sizes };
}

const stored = async (all: readonly Intent[]): Promise<string[]> => {
  const ids = all.map(({ id }) => id);
  const { rows } = await app.pool.query("select id from model_intents where id = any($1)", [ids]);
  return ids.filter((id) => rows.some((row) => row.id === id));
};

/** The first is under way while the others come, so that these are one batch. */
async function together(batch: readonly Intent[]) {
  const held = Promise.withResolvers<void>();
  const { intents, sizes } = watched((at) => (at === 1 ? held.promise : undefined));
  const first = intents.add(intent());
  const added = batch.map((one) =>
    intents.add(one).then(
      () => "stored",
      (error: Error) => error,
    ),
  );
  held.resolve();
  await first;
  return { ends: await Promise.all(added), sizes };
}

describe("calls that are about to be sent", () => {
  it("are written together by the statement after the one that is under way", async () => {
    const batch = Array.from({ length: 20 }, () => intent());
    const { ends, sizes } = await together(batch);
    expect(ends).toEqual(Array(20).fill("stored"));
    expect(sizes).toEqual([1, 20]);
    expect(await stored(batch)).toHaveLength(20);
  });

  it("are written in statements of bounded size", async () => {
    const batch = Array.from({ length: limits.models.settlementsAtOnce + 1 }, () => intent());
    const { sizes } = await together(batch);
    expect(sizes).toEqual([1, limits.models.settlementsAtOnce, 1]);
  });

  it("are written and sent when one among them cannot be: that one alone is told so", async () => {
    const batch = [intent(), gone(), intent(), gone(), intent()];
    const { ends, sizes } = await together(batch);
    expect(ends.map((end) => (end === "stored" ? end : "refused"))).toEqual([
      "stored",
      "refused",
      "stored",
      "refused",
      "stored",
    ]);
    expect(ends[1]).toMatchObject({ message: expect.stringContaining("foreign key") });
    expect(sizes).toEqual([1, 5, 1, 1, 1, 1, 1]);
    expect(await stored(batch)).toEqual([batch[0]!.id, batch[2]!.id, batch[4]!.id]);
  });

  it("are all refused at once by a database that is down, which is not asked again for each", async () => {
    const down = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    const held = Promise.withResolvers<void>();
    const { intents, sizes } = watched(async (at) => {
      if (at === 1) await held.promise;
      else throw down;
    });
    const first = intents.add(intent());
    const added = [intent(), intent(), intent()].map((one) =>
      intents.add(one).catch((error: unknown) => error),
    );
    held.resolve();
    await first;
    expect(await Promise.all(added)).toEqual([down, down, down]);
    expect(sizes).toEqual([1, 3]);
  });

  it("are written after one that was refused alone", async () => {
    const { intents } = watched();
    await expect(intents.add(gone())).rejects.toThrow();
    const next = intent();
    await intents.add(next);
    expect(await stored([next])).toEqual([next.id]);
  });
});
