import { limits } from "@fettle/contract/core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../testing/index.ts";
import { makeBrowser } from "../../testing/people.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { makeWorld, type PersonName, type World } from "../../testing/world.ts";

let database: TestDatabase;
let service: TestService;
let world: World;
beforeAll(async () => {
  database = await testDatabase();
  service = await testService({ database });
  world = await makeWorld(service.app.db);
});
afterAll(async () => {
  await service.close();
  await database.close();
});

interface Frame {
  id?: string;
  event?: string;
  data?: Record<string, unknown>;
}

interface Stream {
  status: number;
  headers: Headers;
  /** The next frame; comments are passed over. Undefined when the stream has ended. */
  next(): Promise<Frame | undefined>;
  close(): void;
}

async function open(
  person: PersonName,
  topics: string,
  {
    at = service,
    lastEventId,
    cookie = world.people[person].cookie,
  }: { at?: TestService; lastEventId?: string; cookie?: string } = {},
): Promise<Stream> {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const response = await fetch(`${at.url}/app/events?topics=${encodeURIComponent(topics)}`, {
    headers: { cookie, ...(lastEventId && { "last-event-id": lastEventId }) },
    signal: ending.signal,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  const next = async (): Promise<Frame | undefined> => {
    for (;;) {
      const end = held.indexOf("\n\n");
      if (end >= 0) {
        const lines = held.slice(0, end).split("\n");
        held = held.slice(end + 2);
        const fields = Object.fromEntries(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
        if (fields.event) return { ...fields, data: JSON.parse(fields.data ?? "{}") };
        continue;
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      held += value;
    }
  };
  return { status: response.status, headers: response.headers, next, close: () => ending.abort() };
}

const changeProject = () =>
  service.call(`/api/v1/projects/${world.projectId}`, {
    method: "PATCH",
    key: world.people.owner.key,
    body: { name: "Renamed" },
  });

describe("the live stream", () => {
  it("says hello, then tells what changes on the topics asked for", async () => {
    const stream = await open("member", `project:${world.projectId}`);
    expect(await stream.next()).toMatchObject({ event: "hello", data: { resumed: false } });
    await changeProject();
    expect(await stream.next()).toMatchObject({
      event: "changed",
      data: { topic: `project:${world.projectId}`, at: expect.any(Number) },
    });
  });

  it("tells a page connected to another process", async () => {
    await using other = await testService({ database });
    const stream = await open("member", `organization:${world.organizationId}`, { at: other });
    await stream.next();
    await changeProject();
    expect(await stream.next()).toMatchObject({ event: "changed" });
    stream.close();
  });

  it("goes on where a broken stream ended", async () => {
    const first = await open("member", `project:${world.projectId}`);
    const hello = await first.next();
    first.close();
    await changeProject();
    const second = await open("member", `project:${world.projectId}`, { lastEventId: hello!.id! });
    expect(await second.next()).toMatchObject({ event: "hello", data: { resumed: true } });
    expect(await second.next()).toMatchObject({ event: "changed" });
  });

  it("offers no topic the person may not read, and no other person's account", async () => {
    const topics = [
      ["stranger", `project:${world.projectId}`, 404],
      ["stranger", `organization:${world.organizationId}`, 404],
      ["guest", `project:${world.projectId}`, 404],
      ["guest", `organization:${world.organizationId}`, 200],
      ["member", `account:${world.people.owner.userId}`, 400],
      ["member", "server:1", 400],
      ["member", "", 400],
      ["member", "account", 200],
    ] as const;
    for (const [person, topic, status] of topics) {
      const stream = await open(person, topic);
      expect([person, topic, stream.status]).toEqual([person, topic, status]);
      stream.close();
    }
  });

  it("tells each person about their own account, and hides the id it goes by inside", async () => {
    const [mine, theirs] = [await open("member", "account"), await open("admin", "account")];
    await mine.next();
    await theirs.next();
    await service.app.events.publish(`account:${world.people.admin.userId}`, "changed", { n: 1 });
    await service.app.events.publish(`account:${world.people.member.userId}`, "changed", { n: 2 });
    expect(await mine.next()).toMatchObject({ data: { topic: "account", n: 2 } });
    expect(await theirs.next()).toMatchObject({ data: { topic: "account", n: 1 } });
  });

  it("ends with a reset when the person may no longer read what they follow", async () => {
    const own = await makeWorld(service.app.db);
    world = own;
    const stream = await open("editor", `project:${own.projectId}`);
    await stream.next();
    await service.app.pool.query("DELETE FROM project_members WHERE user_id = $1", [
      own.people.editor.userId,
    ]);
    await service.app.events.publish(`account:${own.people.editor.userId}`, "changed", {});
    expect(await stream.next()).toMatchObject({ event: "reset" });
    expect(await stream.next()).toBeUndefined();
  });

  it("ends when the session it was opened with has ended", async () => {
    const stream = await open("guest", "account");
    await stream.next();
    const { userId } = world.people.guest;
    await service.app.pool.query("DELETE FROM sessions WHERE user_id = $1", [userId]);
    await service.app.events.publish(`account:${userId}`, "changed", {});
    expect(await stream.next()).toMatchObject({ event: "reset" });
    expect(await stream.next()).toBeUndefined();
  });

  it("says good-bye when the service stops, so that the page comes back at once", async () => {
    const stopping = await testService({ database });
    const stream = await open("member", "account", { at: stopping });
    await stream.next();
    const closed = stopping.close();
    expect(await stream.next()).toMatchObject({ event: "bye", data: { retryMs: 1000 } });
    expect(await stream.next()).toBeUndefined();
    await closed;
  });

  it("gives a browser and an account so many streams and no more, and a place back when one closes", async () => {
    const { perSession, perAccount, retryAfterSeconds } = limits.streams;
    await vi.waitUntil(() => service.app.openStreams.count() === 0, 30_000);
    const first = await open("admin", "account");
    for (let more = 1; more < perSession; more++) expect((await open("admin", "account")).status).toBe(200);
    const refused = await service.call("/app/events?topics=account", {
      headers: { cookie: world.people.admin.cookie },
    });
    expect(refused).toMatchObject({
      status: 429,
      body: {
        code: "RATE_LIMITED",
        details: { reason: "STREAM_LIMIT", scope: "session", limit: perSession, hint: expect.any(String) },
      },
    });
    expect(refused.headers.get("retry-after")).toBe(String(retryAfterSeconds));

    first.close();
    await vi.waitUntil(() => service.app.openStreams.count() < perSession, 30_000);
    expect((await open("admin", "account")).status).toBe(200);

    for (let browser = 1; browser < perAccount / perSession; browser++) {
      const cookie = await makeBrowser(service.app.db, world.people.admin.userId);
      for (let more = 0; more < perSession; more++) {
        expect((await open("admin", "account", { cookie })).status).toBe(200);
      }
    }
    const cookie = await makeBrowser(service.app.db, world.people.admin.userId);
    expect(await service.call("/app/events?topics=account", { headers: { cookie } })).toMatchObject({
      status: 429,
      body: { details: { scope: "account", limit: perAccount } },
    });
    // Somebody else's page is none of their business.
    expect((await open("owner", "account")).status).toBe(200);
  });

  it("keeps no place for a stream that was refused, or whose reader left before it began", async () => {
    await vi.waitUntil(() => service.app.openStreams.count() === 0, 30_000);
    for (let attempt = 0; attempt < 2 * limits.streams.perSession; attempt++) {
      expect((await open("stranger", `project:${world.projectId}`)).status).toBe(404);
    }
    await Promise.all(
      Array.from({ length: 2 * limits.streams.perSession }, async () => {
        const leaving = new AbortController();
        const asked = fetch(`${service.url}/app/events?topics=account`, {
          headers: { cookie: world.people.stranger.cookie },
          signal: leaving.signal,
        });
        setImmediate(() => leaving.abort());
        await asked.catch(() => {});
      }),
    );
    await vi.waitUntil(() => service.app.openStreams.count() === 0, 30_000);
    expect((await open("stranger", "account")).status).toBe(200);
  });

  it("asks about access once for all streams that hear of a change", async () => {
    const people = ["owner", "admin", "member"] as const;
    const streams = await Promise.all(
      people.flatMap((person) =>
        Array.from({ length: limits.streams.perSession }, () => open(person, `project:${world.projectId}`)),
      ),
    );
    for (const stream of streams) await stream.next();
    const asked = vi.spyOn(service.app.pool, "query");
    onTestFinished(() => asked.mockRestore());
    await service.app.events.publish(`project:${world.projectId}`, "changed", {});
    for (const stream of streams) expect(await stream.next()).toMatchObject({ event: "changed" });
    const names = asked.mock.calls.map(([statement]) => (statement as { name?: string }).name);
    // Twice at the very most: a stream that is woken a little later makes a batch of its own.
    for (const name of ["find_live_sessions", "find_project_standings"]) {
      expect(names.filter((each) => each === name).length).toBeLessThanOrEqual(2);
    }
    expect(names.filter((name) => name === "find_session" || name === "find_project_standing")).toEqual([]);
  });
});
