import { noticeLimits } from "@fettle/contract/notices";
import { startBookshop } from "@fettle/samples";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createLog } from "../../core/log/log.ts";
import { completed, noCall, noRecording } from "../../servers/live/history-draft.ts";
import { mailEnv, startMailServer } from "../../testing/mail-server.ts";
import {
  hurryDeliveries,
  isSignedBy,
  startReceiver,
  type WebhookReceiver,
} from "../../testing/notices/receiver.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { suiteReport } from "../../testing/suite-report.ts";
import { connectHost } from "../../testing/tunnel-host.ts";
import { makeWorld, type PersonName, type World } from "../../testing/world.ts";
import { waitOf } from "./deliver.ts";
import { noticeDropped } from "./dropped-tunnels.ts";
import { shownAddress } from "./receiver.ts";

let now = Date.now();
let service: TestService;
let world: World;
let projectId: string;
const lines: string[] = [];
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  const mail = stack.use(await startMailServer());
  letters = mail;
  service = stack.use(
    await testService({
      env: { ...mailEnv(mail), FETTLE_LIMIT_KEY_BURST: "1000" },
      now: () => now,
      log: createLog({ level: "debug", format: "json", write: (line) => lines.push(line) }),
    }),
  );
  world = await makeWorld(service.app.db);
  projectId = world.projectId;
  await service.app.work();
});
let letters: Awaited<ReturnType<typeof startMailServer>>;
afterAll(() => stack.disposeAsync());

const call = async (method: string, path: string, body?: object, person: PersonName = "admin") =>
  service.call(`/api/v1/projects/${projectId}${path}`, {
    method,
    key: world.people[person].key,
    ...(body && { body }),
    headers: { host: "fettle.example.com" },
  });
const everything = ["verdict.turned", "conformance_run.ended", "eval_run.ended", "tunnel.dropped"];
async function listen(receiver: Pick<WebhookReceiver, "url">, events = everything) {
  const made = await call("POST", "/webhooks", { name: "CI", url: receiver.url, events });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body;
}
const deliveries = async (id: string) => (await call("GET", `/webhooks/${id}/deliveries`)).body.items;
const settled = (id: string, state: string) =>
  vi.waitFor(
    async () => {
      const [latest] = await deliveries(id);
      expect(latest?.state, JSON.stringify(latest)).toBe(state);
      return latest;
    },
    { timeout: 60_000 },
  );
const attempted = (id: string, attempts: number) =>
  vi.waitFor(
    async () => {
      const [latest] = await deliveries(id);
      expect(latest?.attempts).toBe(attempts);
      return latest;
    },
    { timeout: 60_000 },
  );
const hurry = () => hurryDeliveries(service.app.db);

let servers = 0;
async function saveServer() {
  const url = "https://mcp.example/mcp?key=canary-in-the-address";
  const headers = { authorization: "Bearer canary-in-a-header" };
  const body = { name: `shop ${++servers}`, transportType: "http", url, headers };
  return (await call("POST", "/servers", body)).body;
}
/** A run of a saved server's protocol suite that comes out so. */
async function conformance(serverId: string, outcome: "passed" | "failed" | "couldNotRun") {
  now += 1_000;
  const target = { kind: "server", serverId };
  const started = { target, source: "cli", requestedSuites: ["protocol"] };
  const { runId } = (await call("POST", "/conformance-ingest/runs/start", started)).body;
  const report = suiteReport({ passed: ["a"], [outcome]: ["a", "b"] });
  await call("POST", "/conformance-ingest/runs/reports", { runId, suiteKind: "protocol", report });
  await call("POST", "/conformance-ingest/runs/finalize", { runId });
  return runId as string;
}

describe("a webhook", () => {
  it("is told what it chose, signed so that anybody who has the secret can check it, each event once", async () => {
    await using receiver = await startReceiver();
    await using other = await startReceiver();
    const { id, secret } = await listen(receiver);
    await listen(other, ["verdict.turned"]);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { id: serverId, name } = await saveServer();
    const runs = [await conformance(serverId, "passed"), await conformance(serverId, "failed")];
    const ended = await receiver.take("conformance_run.ended", 2);
    const [turned] = await receiver.take("verdict.turned");
    await other.take("verdict.turned");
    for (const one of receiver.received) {
      expect(isSignedBy(secret, one, now)).toBe(true);
      expect(isSignedBy(secret, { ...one, body: one.body.replace("{", "{ ") }, now)).toBe(false);
      expect(isSignedBy(`whsec_${Buffer.alloc(32).toString("base64")}`, one, now)).toBe(false);
    }
    const told = new Map(
      ended.map(({ payload }) => [JSON.stringify(payload.data.run).includes(runs[0]!), payload]),
    );
    expect(told.get(true)?.data).toMatchObject({ run: { id: runs[0], outcome: "passed" } });
    expect(told.get(false)?.data).toMatchObject({ run: { id: runs[1], outcome: "failed", failed: 2 } });
    expect(turned!.payload).toMatchObject({
      type: "verdict.turned",
      data: {
        project: { id: projectId },
        kind: "conformance",
        server: { id: serverId, name },
        turned: [{ suite: "protocol", from: "passed", to: "failed" }],
        url: `http://fettle.example.com/p/${projectId}/conformance/${runs[1]}`,
      },
    });
    expect(new Set(receiver.received.map((one) => one.id)).size).toBe(receiver.received.length);
    expect(other.received.map(({ payload }) => payload.type)).toEqual(["verdict.turned"]);
    const taken = { state: "delivered", attempts: 1, status: 204, error: null };
    await vi.waitFor(async () => expect(await deliveries(id)).toMatchObject([taken, taken, taken]), 60_000);
  });

  it("is not told that a verdict turned when nothing could be told, nor of the first one", async () => {
    await using receiver = await startReceiver();
    await listen(receiver, ["verdict.turned", "conformance_run.ended"]);
    const { id } = await saveServer();
    await conformance(id, "failed");
    await conformance(id, "couldNotRun");
    await conformance(id, "failed");
    await receiver.take("conformance_run.ended", 3);
    await conformance(id, "passed");
    const [turned] = await receiver.take("verdict.turned");
    expect(turned!.payload.data.turned).toEqual([{ suite: "protocol", from: "failed", to: "passed" }]);
    expect(receiver.received.filter(({ payload }) => payload.type === "verdict.turned")).toHaveLength(1);
  });

  it("is told that an eval run ended, and when its suite's verdict turns", async () => {
    await using receiver = await startReceiver();
    await listen(receiver, ["eval_run.ended", "verdict.turned"]);
    const report = (passed: boolean, externalRunId: string) =>
      call("POST", "/eval-ingest/report", {
        suiteName: "Shop in CI",
        externalRunId,
        results: [{ caseTitle: "Finds a book", passed }],
      });
    const first = (await report(true, "one")).body;
    const second = (await report(false, "two")).body;
    const ended = await receiver.take("eval_run.ended", 2);
    const told = ended.map(({ payload }) => payload.data.run as { id: string });
    expect(told.find(({ id }) => id === first.runId)).toMatchObject({ outcome: "passed", passed: 1 });
    expect(told.find(({ id }) => id === second.runId)).toMatchObject({ outcome: "failed", failed: 1 });
    const [turned] = await receiver.take("verdict.turned");
    expect(turned!.payload.data).toMatchObject({
      kind: "eval",
      turned: [{ suite: "Shop in CI", from: "passed", to: "failed" }],
    });
  });

  it("is told when the doctor, or a host, judges a server otherwise than before", async () => {
    await using receiver = await startReceiver();
    await listen(receiver, ["verdict.turned"]);
    const shop = await startBookshop();
    const { id, name } = (
      await call("POST", "/servers", { name: "Turning", transportType: "http", url: shop.url })
    ).body;
    const examine = async () => {
      now += 1_000;
      return (await call("POST", `/servers/${id}/doctor`, {})).body.status;
    };
    expect([await examine(), await examine()]).toEqual(["ready", "ready"]);
    await shop.close();
    expect(await examine()).toBe("error");
    const [turned] = await receiver.take("verdict.turned");
    expect(turned!.payload.data).toMatchObject({
      kind: "doctor",
      server: { id, name },
      turned: [{ suite: "doctor", from: "ready", to: "error" }],
      url: expect.stringMatching(new RegExp(`/p/${projectId}/servers/${id}/history/[a-z]+_`)),
    });

    const hosts = (verdict: string) => [
      { hostId: "claude", verdict },
      { hostId: "cursor", verdict: "works" },
    ];
    const about = { projectId: world.projectId, serverId: id, userId: null };
    for (const result of [
      JSON.stringify({ hosts: hosts("works") }),
      null,
      JSON.stringify({ hosts: hosts("blocked") }),
    ]) {
      now += 1_000;
      const draft = {
        ...{ ...noCall, ...noRecording, kind: "compat" as const, outcome: "ok" as const, code: null },
        ...{ summary: "", at: now, durationMs: 1, result, isResultCut: false },
      };
      await service.app.history.keep(about, completed(draft));
    }
    const [, ofHost] = await receiver.take("verdict.turned", 2);
    expect(ofHost!.payload.data).toMatchObject({
      kind: "compat",
      turned: [{ suite: "claude", from: "works", to: "blocked" }],
    });
  });

  it("never carries a credential, its own secret shows once, and its address is sealed", async () => {
    await using receiver = await startReceiver();
    const made = await call("POST", "/webhooks", {
      name: "CI",
      url: `${receiver.url}/canary-in-the-path-of-it?token=canary-in-the-query`,
      events: everything,
    });
    expect(made.body.url).toBe(`${receiver.url}/***?token=***`);
    const { id: serverId } = await saveServer();
    await conformance(serverId, "passed");
    await receiver.take("conformance_run.ended");
    await settled(made.body.id, "delivered");
    const shown = JSON.stringify([
      await call("GET", "/webhooks").then(({ body }) => body),
      await deliveries(made.body.id),
    ]);
    const { rows } = await service.app.db.execute(sql`
      select to_jsonb(w) from webhooks w union all select to_jsonb(n) from notices n
      union all select to_jsonb(d) from webhook_deliveries d union all select to_jsonb(j) from jobs j`);
    const written =
      shown + JSON.stringify(rows) + lines.join("") + receiver.received.map((one) => one.body).join("");
    expect(written).not.toContain("canary");
    expect(written).not.toContain(made.body.secret.slice("whsec_".length));
  });

  it("gets a new secret beside the old one, which signs for another day", async () => {
    await using receiver = await startReceiver();
    const { id, secret } = await listen(receiver);
    const rotated = await call("POST", `/webhooks/${id}/secret`);
    await call("POST", `/webhooks/${id}/test`);
    const [first] = await receiver.take("test");
    expect([secret, rotated.body.secret].map((each) => isSignedBy(each, first!, now))).toEqual([true, true]);
    now += noticeLimits.earlierSecretMs;
    await call("POST", `/webhooks/${id}/test`);
    const [, second] = await receiver.take("test", 2);
    expect([secret, rotated.body.secret].map((each) => isSignedBy(each, second!, now))).toEqual([
      false,
      true,
    ]);
  });

  it("that is switched off is told nothing, and says so when it is tried", async () => {
    await using receiver = await startReceiver();
    const { id } = await listen(receiver);
    expect((await call("PATCH", `/webhooks/${id}`, { enabled: false })).body).toMatchObject({
      enabled: false,
      switchedOffAt: null,
    });
    const refused = await call("POST", `/webhooks/${id}/test`);
    expect([refused.status, refused.body.details]).toMatchObject([409, { code: "WEBHOOK_OFF" }]);
    await conformance((await saveServer()).id, "passed");
    expect(await deliveries(id)).toEqual([]);
  });

  it("is one of so many, and one too many is refused with nothing written", async () => {
    const { body: own } = await service.call("/api/v1/projects", {
      method: "POST",
      key: world.people.admin.key,
      body: { name: "Crowded", organizationId: world.organizationId },
      headers: { host: "fettle.example.com" },
    });
    projectId = own.id;
    onTestFinished(() => {
      projectId = world.projectId;
    });
    const make = () =>
      call("POST", "/webhooks", { name: "CI", url: "https://hooks.example.com/hook", events: everything });
    for (let made = 0; made < noticeLimits.webhooks - 2; made += 1) expect((await make()).status).toBe(201);
    const contested = await Promise.all(Array.from({ length: 4 }, make));
    expect(contested.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect(contested.find(({ status }) => status === 409)?.body.details).toMatchObject({
      code: "TOO_MANY_WEBHOOKS",
    });
  });
});

describe("a receiver", () => {
  it("that is dead and comes back gets the event under the same id, after growing waits", async () => {
    let isDead = true;
    await using receiver = await startReceiver((_, response) =>
      response.writeHead(isDead ? 500 : 200).end("I am ill"),
    );
    const { id, secret } = await listen(receiver);
    await call("POST", `/webhooks/${id}/test`);
    const first = await attempted(id, 1);
    expect(first).toMatchObject({
      state: "waiting",
      status: 500,
      answer: "I am ill",
      error: "It answered 500.",
    });
    expect(first.nextAttemptAt - first.lastAttemptAt).toBe(noticeLimits.retryMs[0]);
    expect((await call("GET", `/webhooks/${id}`)).body.failingSince).toBe(now);
    now += noticeLimits.retryMs[0]!;
    await hurry();
    const second = await attempted(id, 2);
    expect(second.nextAttemptAt - second.lastAttemptAt).toBe(noticeLimits.retryMs[1]);
    isDead = false;
    now += noticeLimits.retryMs[1]!;
    await hurry();
    expect(await settled(id, "delivered")).toMatchObject({ attempts: 3, status: 200, nextAttemptAt: null });
    expect((await call("GET", `/webhooks/${id}`)).body.failingSince).toBeNull();
    expect(new Set(receiver.received.map((one) => one.id)).size).toBe(1);
    expect(new Set(receiver.received.map((one) => one.body)).size).toBe(1);
    expect(isSignedBy(secret, receiver.received[2]!, now)).toBe(true);
  });

  it("is given up after the last wait, and an event can be sent again by hand", async () => {
    let isDead = true;
    await using receiver = await startReceiver((_, response) => response.writeHead(isDead ? 503 : 200).end());
    const { id } = await listen(receiver);
    await call("POST", `/webhooks/${id}/test`);
    for (let attempt = 1; attempt <= noticeLimits.retryMs.length; attempt++) {
      await attempted(id, attempt);
      await hurry();
    }
    const given = await settled(id, "failed");
    expect(given.attempts).toBe(noticeLimits.retryMs.length + 1);
    isDead = false;
    const again = await call("POST", `/webhooks/${id}/deliveries/${given.id}/redeliver`);
    expect(again).toMatchObject({ status: 202, body: { state: "waiting", eventId: given.eventId } });
    expect(await settled(id, "delivered")).toMatchObject({ attempts: 1, status: 200 });
    expect(new Set(receiver.received.map((one) => one.id)).size).toBe(1);
    const nowhere = await call("POST", `/webhooks/${id}/deliveries/dlv_none/redeliver`);
    expect(nowhere.status).toBe(404);
  });

  it("that asks for a wait is given it", async () => {
    await using receiver = await startReceiver((_, response) =>
      response.writeHead(429, { "retry-after": "90" }).end(),
    );
    const { id } = await listen(receiver);
    await call("POST", `/webhooks/${id}/test`);
    const { nextAttemptAt, lastAttemptAt } = await attempted(id, 1);
    expect(nextAttemptAt - lastAttemptAt).toBe(90_000);
  });

  it("that says it is gone, or takes nothing for days, is switched off with its reason, until somebody switches it on", async () => {
    let status = 500;
    await using receiver = await startReceiver((_, response) => response.writeHead(status).end());
    const { id } = await listen(receiver);
    await call("POST", `/webhooks/${id}/test`);
    await attempted(id, 1);
    now += noticeLimits.offAfterMs;
    await hurry();
    await vi.waitFor(async () => {
      expect((await call("GET", `/webhooks/${id}`)).body).toMatchObject({
        enabled: false,
        switchedOffAt: now,
        switchedOffReason: "It has taken nothing for 3 days.",
      });
    }, 60_000);
    expect(await settled(id, "failed")).toMatchObject({
      error: "The webhook was switched off.",
      nextAttemptAt: null,
    });
    expect((await call("PATCH", `/webhooks/${id}`, { enabled: true })).body).toMatchObject({
      enabled: true,
      failingSince: null,
      switchedOffAt: null,
    });
    status = 410;
    await call("POST", `/webhooks/${id}/test`);
    await vi.waitFor(async () => {
      expect((await call("GET", `/webhooks/${id}`)).body.switchedOffReason).toBe(
        "It answered that it is gone (410).",
      );
    }, 60_000);
  });

  it("is not led elsewhere by a redirect, and an endless answer ends", async () => {
    await using elsewhere = await startReceiver();
    await using receiver = await startReceiver(({ payload }, response) => {
      if (payload.type === "test") response.writeHead(307, { location: elsewhere.url }).end();
      else response.writeHead(200).write("x".repeat(100_000));
    });
    const { id } = await listen(receiver);
    await call("POST", `/webhooks/${id}/test`);
    expect(await attempted(id, 1)).toMatchObject({
      state: "waiting",
      status: 307,
      error: "It answered 307: redirects are not followed.",
    });
    expect(elsewhere.received).toEqual([]);
    await conformance((await saveServer()).id, "passed");
    const taken = await settled(id, "delivered");
    expect(taken.answer).toHaveLength(noticeLimits.answerLength);
  });
});

describe("an address", () => {
  const refused: [what: string, url: string, code: string][] = [
    ["the cloud's metadata", "http://169.254.169.254/latest/meta-data", "BLOCKED_ADDRESS"],
    ["a file", "file:///etc/passwd", "BAD_TARGET"],
    ["a user and a password", "https://ada:pw@example.com/hook", "BAD_TARGET"],
    ["no address", "hook", "BAD_TARGET"],
    ["what was shown masked", "https://example.com/***", "MASKED_ADDRESS"],
  ];
  it.each(refused)("that is %s is refused, and nothing is written", async (_, url, code) => {
    const before = (await call("GET", "/webhooks")).body.items.length;
    const answer = await call("POST", "/webhooks", { name: "CI", url, events: everything });
    expect([answer.status, answer.body.details]).toMatchObject([400, { path: "body.url", code }]);
    expect((await call("GET", "/webhooks")).body.items).toHaveLength(before);
  });

  it("in a private network is refused by a hosted service: written down, or found behind a name", async () => {
    await using hosted = await testService({
      env: { FETTLE_MODE: "hosted", FETTLE_LIMIT_KEY_BURST: "1000" },
    });
    const there = await makeWorld(hosted.app.db);
    await hosted.app.work();
    const ask = (method: string, path: string, body?: object) =>
      hosted.call(`/api/v1/projects/${there.projectId}/webhooks${path}`, {
        method,
        key: there.people.owner.key,
        ...(body && { body }),
      });
    for (const url of ["http://127.0.0.1:9/", "http://10.1.2.3/", "http://[::1]:9/", "http://192.168.0.1/"]) {
      expect((await ask("POST", "", { name: "CI", url, events: everything })).body.details).toMatchObject({
        code: "BLOCKED_ADDRESS",
      });
    }
    const { body } = await ask("POST", "", {
      name: "CI",
      url: "http://localhost:9/hook",
      events: everything,
    });
    await ask("POST", `/${body.id}/test`);
    await vi.waitFor(async () => {
      const [latest] = (await ask("GET", `/${body.id}/deliveries`)).body.items;
      expect(latest).toMatchObject({ state: "failed", attempts: 1, status: null });
      expect(latest.error).toContain("it is not contacted");
    }, 60_000);
  });

  it.each([
    ["https://hooks.example.com/services/T024BE7LD8X2M4KQ/B1", "https://hooks.example.com/services/***/B1"],
    ["https://example.com/hook?key=1#part", "https://example.com/hook?key=***#***"],
  ])("%s is shown as %s", (address, shown) => expect(shownAddress(address)).toBe(shown));
});

it.each([
  [undefined, 0],
  ["120", 120_000],
  ["Thu, 01 Jan 2026 00:01:00 GMT", 60_000],
  ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
  ["999999999", noticeLimits.longestWaitMs],
  ["soon", 0],
])("Retry-After: %s means %d ms", (said, ms) =>
  expect(waitOf(said, Date.parse("2026-01-01T00:00:00Z"))).toBe(ms),
);

describe("a tunnel", () => {
  it("whose host is gone for longer than a moment is told of, once, and one that was closed is not", async () => {
    await using receiver = await startReceiver();
    await listen(receiver, ["tunnel.dropped"]);
    const open = async (name: string) => {
      const { body } = await call("POST", "/tunnels", { name });
      const relayWsUrl = body.relayWsUrl.replace("//fettle.example.com", `//${new URL(service.url).host}`);
      return { serverId: body.serverId, host: await connectHost({ ...body, relayWsUrl }, () => undefined) };
    };
    const [dropped, closed] = [await open("dropped"), await open("closed")];
    await call("POST", `/tunnels/${closed.serverId}/close`);
    dropped.host.close();
    await dropped.host.closed;
    await vi.waitFor(async () => {
      const { rows } = await service.app.db.execute(
        sql`select session_id from tunnels where server_id = ${dropped.serverId}`,
      );
      expect(rows[0]!.session_id).toBeNull();
    }, 60_000);
    await noticeDropped(service.app);
    now += noticeLimits.tunnelGraceMs + 1;
    await Promise.all([noticeDropped(service.app), noticeDropped(service.app)]);
    await noticeDropped(service.app);
    const [told] = await receiver.take("tunnel.dropped");
    expect(told!.payload.data).toMatchObject({ server: { id: dropped.serverId, name: "dropped" } });
    expect(receiver.received).toHaveLength(1);
  });
});

describe("letters", () => {
  it("go to those who asked for them and still may see the project", async () => {
    const chosen = { events: ["verdict.turned"] };
    expect((await call("GET", "/notice-letters", undefined, "member")).body).toEqual({
      available: true,
      events: [],
    });
    for (const person of ["member", "editor"] as const) {
      expect((await call("PUT", "/notice-letters", chosen, person)).body).toEqual({
        available: true,
        ...chosen,
      });
    }
    await service.app.db.execute(
      sql`delete from project_members where user_id = ${world.people.editor.userId}`,
    );
    const { id, name } = await saveServer();
    await conformance(id, "passed");
    const runId = await conformance(id, "failed");
    const letter = await letters.letterTo(world.people.member.email);
    expect(letter.headers.get("subject")).toBe(`${name}: protocol failed`);
    expect(letter.text).toContain("protocol: passed before, failed now.");
    expect(letter.text).toContain(`http://fettle.example.com/p/${projectId}/conformance/${runId}`);
    expect(letters.letters.flatMap(({ readers }) => readers)).toEqual([world.people.member.email]);
  });
});
