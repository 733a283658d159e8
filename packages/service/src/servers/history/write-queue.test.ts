import { setImmediate as turn } from "node:timers/promises";
import pg from "pg";
import { afterEach, expect, it } from "vitest";
import { createLog } from "../../core/log/log.ts";
import { createWriteQueue, queueLimits } from "./write-queue.ts";

let logged = "";
const log = createLog({ level: "debug", format: "json", write: (line) => (logged += line) });
afterEach(() => {
  logged = "";
});

const diskFull = () => Object.assign(new pg.DatabaseError("no space", 0, "error"), { code: "53100" });
const refused = () => Object.assign(new pg.DatabaseError("bad value", 0, "error"), { code: "22P02" });

function queue(refuse: (entries: string[]) => Error | undefined, limits: Partial<typeof queueLimits> = {}) {
  const written: string[][] = [];
  const made = createWriteQueue<string>({
    write: async (entries) => {
      await turn();
      const error = refuse(entries);
      if (error) throw error;
      written.push(entries);
    },
    sizeOf: (entry) => entry.length,
    log,
    limits: { ...queueLimits, ...limits },
  });
  return { ...made, written };
}

it("writes what came together at once, what comes meanwhile after it, and each entry in its order", async () => {
  const { add, settle, written } = queue(() => undefined);
  await Promise.all([add(() => "a"), add(() => "b")]);
  await turn();
  await add(() => "c");
  await settle();
  expect(written).toEqual([["a", "b"], ["c"]]);
});

it("completes no entry before the turn in which it was added is over", async () => {
  const { add, settle } = queue(() => undefined);
  let completed = 0;
  await add(() => String(++completed));
  expect(completed).toBe(0);
  await settle();
  expect(completed).toBe(1);
});

it.each([
  ["entries", { entries: 2 }, "a"],
  ["characters", { characters: 20 }, "ten letters"],
])("makes a call wait while there are too many %s, and loses none", async (_what, limits, text) => {
  let isAway = true;
  const { add, close, written } = queue(() => (isAway ? diskFull() : undefined), limits);
  await add(() => text);
  await turn();
  await add(() => text);
  await turn();
  let isIn = false;
  const third = add(() => text).then(() => {
    isIn = true;
  });
  for (let turns = 0; turns < 20; turns++) await turn();
  expect(isIn).toBe(false);
  isAway = false;
  await third;
  await close();
  expect(written.flat()).toEqual([text, text, text]);
  expect(logged).not.toContain("could not be written down");
});

it("gives up what finds no room in time, and says so", async () => {
  const { add } = queue(diskFull, { entries: 1, patienceMs: 20 });
  await add(() => "a");
  await add(() => "b");
  expect(logged).toContain("could not be written down");
  expect(logged).toContain("too many entries wait");
});

it("gives up only the one that is refused, also beside others and when the database goes away between them", async () => {
  let left = 3;
  const { add, settle, written } = queue((entries) => {
    if (entries.includes("bad")) return refused();
    // Away for one try, in the midst of writing them one by one.
    left -= 1;
    return left === 1 ? diskFull() : undefined;
  });
  for (const entry of ["a", "bad", "b", "c"]) await add(() => entry);
  await settle();
  await settle();
  expect(written.flat()).toEqual(["a", "b", "c"]);
  expect(logged.split("could not be written down")).toHaveLength(2);
});

it("loses no other entry to one that cannot be completed", async () => {
  const { add, settle, written } = queue(() => undefined);
  await add(() => {
    throw new Error("cannot be put together");
  });
  await add(() => "a");
  await settle();
  expect(written).toEqual([["a"]]);
  expect(logged).toContain("cannot be put together");
});

it("lets a reader go on when the database cannot take what waits, and tries again by itself", async () => {
  let isAway = true;
  const back = Promise.withResolvers<void>();
  const { add, settle } = queue(() => {
    if (isAway) return diskFull();
    back.resolve();
    return undefined;
  });
  await add(() => "a");
  await settle();
  isAway = false;
  await back.promise;
  await settle();
  expect(logged).toContain("waits for the database");
  expect(logged).toContain("is being written again");
});

it("says at a stop what the database did not take in time", async () => {
  const { add, close } = queue(diskFull, { patienceMs: 20 });
  await add(() => "a");
  await close();
  expect(logged).toMatch(/"entries":1,.*"level":"error".*could not be written down/);
});
