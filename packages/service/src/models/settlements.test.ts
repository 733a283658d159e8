/** @module Writing down what calls of models cost: soon, together, and again where the database was away. */
import { idOf, limits } from "@fettle/contract/core";
import type { QueryConfig } from "pg";
import { describe, expect, it, vi } from "vitest";
import type { Settlement } from "./budget-store.ts";
import { createSettlements } from "./settlements.ts";

const organizationId = idOf<"organization">().parse("org_1");
const settlement = (intentId: string): Settlement => ({
  organizationId,
  day: "2026-11-16",
  source: { kind: "chat", id: "cht_1" },
  reservedUsd: 2,
  isOfHold: false,
  spentUsd: 1,
  intentId,
  call: undefined,
});

const away = () => Object.assign(new Error("away"), { code: "ECONNREFUSED", syscall: "connect" });

/** Which intents each statement settled; `onQuery` may fail it. */
function watched(onQuery: (intents: readonly string[], at: number) => void = () => {}) {
  const tried: string[][] = [];
  const written: string[][] = [];
  const log = { warn: vi.fn(), error: vi.fn() };
  const query = async ({ values = [] }: QueryConfig<unknown[][]>) => {
    const intents = (values.at(-1) ?? []).map(String);
    tried.push(intents);
    onQuery(intents, tried.length);
    written.push(intents);
  };
  const settlements = createSettlements({
    pool: { query } as unknown as Parameters<typeof createSettlements>[0]["pool"],
    log: log as unknown as Parameters<typeof createSettlements>[0]["log"],
  });
  return { settlements, tried, written, log };
}

const names = (count: number) => Array.from({ length: count }, (_, at) => `int_${at}`);

describe("what calls cost", () => {
  it("is written a moment later, together, without anybody asking for it", async () => {
    const { settlements, written } = watched();
    await settlements.add(settlement("a"));
    await settlements.add(settlement("b"));
    expect(written).toEqual([]);
    await vi.waitFor(() => expect(written).toEqual([["a", "b"]]), 5_000);
    await settlements.add(settlement("c"));
    await vi.waitFor(() => expect(written).toEqual([["a", "b"], ["c"]]), 5_000);
  });

  it("is written at once when somebody asks, and only once", async () => {
    const { settlements, written } = watched();
    await settlements.add(settlement("a"));
    await Promise.all([settlements.flush(), settlements.flush(), settlements.close()]);
    expect(written).toEqual([["a"]]);
  });

  it("is written in statements of bounded size, and waited for where too much is held", async () => {
    const { settlements, written } = watched();
    const all = names(limits.models.settlementsHeld);
    await Promise.all(all.map((name) => settlements.add(settlement(name))));
    expect(written.flat()).toEqual(all);
    expect(Math.max(...written.map(({ length }) => length))).toBe(limits.models.settlementsAtOnce);
  });

  it("is tried again after the database was away, without anybody asking for it", async () => {
    const { settlements, written, log } = watched((_, at) => {
      if (at === 1) throw away();
    });
    await settlements.add(settlement("a"));
    await vi.waitFor(() => expect(written).toEqual([["a"]]), 10_000);
    expect(log.warn).toHaveBeenCalledOnce();
    expect(log.error).not.toHaveBeenCalled();
  });

  it("fails for who asks while the database is away, and is written at the next time", async () => {
    let isAway = true;
    const { settlements, written } = watched(() => {
      if (isAway) throw away();
    });
    await settlements.add(settlement("a"));
    await expect(settlements.flush()).rejects.toThrow("away");
    isAway = false;
    await settlements.flush();
    expect(written).toEqual([["a"]]);
  });

  it.each([
    [
      ["a", "bad", "b"],
      ["a", "b"],
    ],
    [["bad", "b"], ["b"]],
    [["bad"], []],
  ])("of %j is written without the one that cannot be, which is told", async (added, kept) => {
    const { settlements, tried, written, log } = watched((intents) => {
      if (intents.includes("bad")) throw new Error("no such day");
    });
    for (const name of added) await settlements.add(settlement(name));
    await settlements.flush();
    const oneByOne = added.map((name) => [name]);
    expect(tried).toEqual(added.length === 1 ? [added] : [added, ...oneByOne]);
    expect(written.flat()).toEqual(kept);
    expect(log.error).toHaveBeenCalledOnce();
    const before = tried.length;
    await settlements.flush();
    expect(tried).toHaveLength(before);
  });
});
