import { join } from "node:path";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { silentLog, type TestDatabase, testDatabase } from "../../testing/index.ts";
import { startProcess } from "../../testing/process.ts";
import { openListener } from "../db/listener.ts";
import { createEvents, type Events, longestEventBytes, type StreamItem } from "./events.ts";
import { pruneEvents, ringSize } from "./store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ connections: 20 });
  return () => database.close();
});

/** An instance as another process would have it: its own listener, its own place in the stream. */
function instance(): Events {
  const listener = openListener({ url: database.url, log: silentLog });
  onTestFinished(() => listener.close());
  return createEvents({ db: database.db, listener, log: silentLog });
}

/** Follows and collects; `hello` has been seen when this resolves. */
async function follow(events: Events, topics: string[], lastEventId?: string, openForMs?: number) {
  const leaving = new AbortController();
  const stream = events.subscribe({ topics, lastEventId, openForMs, signal: leaving.signal });
  const items: StreamItem[] = [(await stream.next()).value];
  const running = (async () => {
    for await (const item of stream) items.push(item);
  })();
  onTestFinished(async () => {
    leaving.abort();
    await running;
  });
  const numbers = () => items.flatMap((item) => (item.kind === "event" ? [item.data.n] : []));
  return {
    items,
    numbers,
    saw: (expected: unknown[]) => vi.waitFor(() => expect(numbers()).toEqual(expected), 60_000),
    leave: async () => {
      leaving.abort();
      await running;
    },
  };
}

let topicCount = 0;
const newTopic = () => `run:${++topicCount}`;

describe("following", () => {
  test("events published by one instance reach followers at another, in order, on their topics only", async () => {
    const [here, there] = [instance(), instance()];
    const [topic, other] = [newTopic(), newTopic()];
    const follower = await follow(there, [topic]);
    expect(follower.items[0]).toMatchObject({ kind: "hello", isResumed: false });
    for (let n = 0; n < 20; n++) {
      await here.publish(other, "changed", { n: -1 });
      await here.publish(topic, "changed", { n });
    }
    await follower.saw(Array.from({ length: 20 }, (_, n) => n));
    expect(follower.items[1]).toMatchObject({ topic, type: "changed", at: expect.any(Number) });
  });

  test("what happened while a page was read, before it began to follow, is told", async () => {
    const events = instance();
    const topic = newTopic();
    await database.db.execute(
      sql`insert into events (topic, type, data, at)
        values (${topic}, 'changed', '{"n": 0}', now() - interval '1 minute')`,
    );
    await events.publish(topic, "changed", { n: 1 });
    const follower = await follow(events, [topic], undefined, 1_000);
    await events.publish(topic, "changed", { n: 2 });
    await follower.saw([1, 2]);
    expect(follower.items.some(({ kind }) => kind === "reset")).toBe(false);
    // Longer than anything is kept: it reads everything anew.
    const late = await follow(events, [topic], undefined, 3_600_000);
    await vi.waitFor(() => expect(late.items.map(({ kind }) => kind)).toEqual(["hello", "reset"]), 60_000);
  });

  test("an event published in a transaction is told after the commit, and never after a rollback", async () => {
    const events = instance();
    const topic = newTopic();
    const follower = await follow(events, [topic]);
    const undone = database.db.transaction(async (tx) => {
      await events.publish(topic, "changed", { n: 1 }, { inTransaction: tx });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await database.db.transaction((tx) => events.publish(topic, "changed", { n: 2 }, { inTransaction: tx }));
    await follower.saw([2]);
  });

  test("a transaction that began earlier and commits later is not passed over", async () => {
    const events = instance();
    const topic = newTopic();
    const follower = await follow(events, [topic]);
    await database.db.transaction(async (slow) => {
      await events.publish(topic, "changed", { n: 1 }, { inTransaction: slow });
      await events.publish(topic, "changed", { n: 2 });
      await follower.saw([2]);
    });
    await follower.saw([2, 1]);
    // And somebody who saw only the first of the two is told the other.
    const [, first] = follower.items;
    const later = await follow(instance(), [topic], first!.id);
    await later.saw([1]);
  });

  test("a newcomer is not told what happened before it came, though others follow already", async () => {
    const events = instance();
    const [quiet, busy] = [newTopic(), newTopic()];
    await follow(events, [quiet]);
    for (let n = 0; n < 5; n++) await events.publish(busy, "changed", { n });
    const newcomer = await follow(events, [busy]);
    await events.publish(quiet, "changed", { n: 100 });
    await events.publish(busy, "changed", { n: 5 });
    await newcomer.saw([5]);
  });

  test("many who publish at once and some who come in between: each follower misses none and sees none twice", async () => {
    const [one, two] = [instance(), instance()];
    const topic = newTopic();
    const early = await follow(one, [topic]);
    let published = 0;
    const publishing = Array.from({ length: 8 }, async () => {
      for (let round = 0; round < 25; round++) await two.publish(topic, "changed", { n: published++ });
    });
    const late = await Promise.all([
      follow(one, [topic], early.items[0]!.id),
      follow(two, [topic], early.items[0]!.id),
    ]);
    await Promise.all(publishing);
    for (const follower of [early, ...late]) {
      await vi.waitFor(() => expect(follower.numbers()).toHaveLength(200), 60_000);
      expect(new Set(follower.numbers()).size).toBe(200);
      const ids = follower.items.flatMap((item) => (item.kind === "event" ? [Number(item.id)] : []));
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
    }
  });

  test("a lost connection is made up for", async () => {
    const [here, there] = [instance(), instance()];
    const topic = newTopic();
    const follower = await follow(there, [topic]);
    await database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'fettle listener'",
    );
    for (let n = 0; n < 10; n++) await here.publish(topic, "changed", { n });
    await follower.saw([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(follower.items.filter(({ kind }) => kind === "reset")).toEqual([]);
  });
});

describe("resuming", () => {
  test("goes on exactly where the follower was, at another instance too", async () => {
    const topic = newTopic();
    const first = await follow(instance(), [topic]);
    const publisher = instance();
    for (let n = 0; n < 3; n++) await publisher.publish(topic, "changed", { n });
    await first.saw([0, 1, 2]);
    await first.leave();
    for (let n = 3; n < 6; n++) await publisher.publish(topic, "changed", { n });
    const second = await follow(instance(), [topic], first.items.at(-1)!.id);
    expect(second.items[0]).toMatchObject({ kind: "hello", isResumed: true });
    await second.saw([3, 4, 5]);
    expect(second.items.some(({ kind }) => kind === "reset")).toBe(false);
  });

  test.each(["nonsense", "-1", "999999999999", "1e3"])(
    "from %j, which was never given, resets",
    async (id) => {
      const follower = await follow(instance(), [newTopic()], id);
      await vi.waitFor(
        () => expect(follower.items.map(({ kind }) => kind)).toEqual(["hello", "reset"]),
        60_000,
      );
      expect(follower.items[0]).toMatchObject({ isResumed: false });
    },
  );

  test("from before what is kept resets: by age, and by number", async () => {
    const events = instance();
    const [aged, full] = [newTopic(), newTopic()];
    await events.publish(aged, "changed", { n: 0 });
    const { rows } = await database.db.execute<{ old: string }>(sql`select max(position) as old from events`);
    const old = rows[0]!.old;
    await events.publish(aged, "changed", { n: 1 });
    await database.db.execute(
      sql`insert into events (topic, type, data) select ${full}, 'append', '{}' from generate_series(1, ${ringSize + 10})`,
    );
    await pruneEvents(database.db);
    const kept = await database.db.execute(sql`select count(*)::int as n from events where topic = ${full}`);
    expect(kept.rows).toEqual([{ n: ringSize }]);

    const overflowed = await follow(events, [full], old);
    await vi.waitFor(
      () => expect(overflowed.items.map(({ kind }) => kind)).toEqual(["hello", "reset"]),
      60_000,
    );
    const fine = await follow(events, [aged], old);
    await fine.saw([1]);

    await database.db.execute(
      sql`update events set at = now() - interval '11 minutes' where topic = ${aged}`,
    );
    await pruneEvents(database.db);
    const outdated = await follow(events, [aged], old);
    await vi.waitFor(
      () => expect(outdated.items.map(({ kind }) => kind)).toEqual(["hello", "reset"]),
      60_000,
    );
  });

  test("a follower that does not read is reset instead of filling the memory", async () => {
    const events = instance();
    const topic = newTopic();
    const leaving = new AbortController();
    const stream = events.subscribe({ topics: [topic], signal: leaving.signal });
    await stream.next();
    const second = stream.next();
    await events.publish(topic, "changed", { n: 0 });
    await second;
    await database.db.execute(
      sql`insert into events (topic, type, data) select ${topic}, 'append', '{}' from generate_series(1, ${ringSize + 300})`,
    );
    await events.publish(topic, "changed", { n: 1 });
    const watcher = await follow(events, [topic]);
    await events.publish(topic, "changed", { n: 2 });
    await watcher.saw([2]);
    const kinds: string[] = [];
    for (let read = 0; read < 3; read++) kinds.push((await stream.next()).value.kind);
    expect(kinds[0]).toBe("reset");
    leaving.abort();
    await stream.return?.();
  });
});

test("two processes on one database hear each other", async () => {
  const topic = newTopic();
  const script = join(import.meta.dirname, "..", "..", "testing", "event-follower.ts");
  const [one, two] = [
    startProcess(script, [database.url.reveal(), topic]),
    startProcess(script, [database.url.reveal(), topic]),
  ];
  onTestFinished(() => Promise.all([one.kill(), two.kill()]).then(() => undefined));
  await Promise.all([one.line(/hello/), two.line(/hello/)]);
  one.child.stdin.write(`${JSON.stringify({ topic, type: "changed", data: { from: "one" } })}\n`);
  two.child.stdin.write(`${JSON.stringify({ topic, type: "changed", data: { from: "two" } })}\n`);
  await Promise.all(
    [one, two].flatMap((process) => [process.line(/"from":"one"/), process.line(/"from":"two"/)]),
  );
});

test("an event that is too large, or a topic that is none, is refused", async () => {
  const events = instance();
  await expect(events.publish("run:1", "append", { text: "x".repeat(longestEventBytes) })).rejects.toThrow(
    RangeError,
  );
  await expect(events.publish("run 1\n", "append", {})).rejects.toThrow(RangeError);
});
