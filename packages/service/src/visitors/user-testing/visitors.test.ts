import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type VisitedBench, visitedBench } from "../../testing/visited-bench.ts";
import type { Visitor } from "../../testing/visiting.ts";

let now = Date.UTC(2026, 10, 16, 12);
let visited: VisitedBench;
beforeAll(async () => {
  visited = await visitedBench({ now: () => now });
});
afterAll(() => visited[Symbol.asyncDispose]());
beforeEach(() => visited.forgetPace());

const refused = (status: number, code: string) => ({ status, body: { details: { code } } });

const dial = (dailyCreditCap: number) => ({
  enabled: true,
  computerEnabled: false,
  sharedSkillsEnabled: true,
  dailyCreditCap,
  dailyComputerStartCap: 0,
  maxConcurrentComputers: 0,
});

describe("publishing", () => {
  it("asked twenty times at once makes one scenario, and each is told of the same", async () => {
    const id = await visited.environment();
    const names = Array.from({ length: 20 }, (_, place) => `Name ${place}`);
    const answers = await Promise.all(
      names.map((name) =>
        visited.call("PUT", `/environments/${id}/scenario`, { name, mode: "anyone_with_link" }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(19).fill(200), 201]);
    const bodies = answers.map(({ body }) => body);
    const made = bodies.filter(({ created }) => created);
    expect(made).toHaveLength(1);
    const { created: _, overridesIgnored: __, ...same } = made[0]!;
    for (const { created, overridesIgnored, ...rest } of bodies) {
      expect(rest).toEqual(same);
      expect(overridesIgnored).toBe(!created);
    }
    const { body: listed } = await visited.call("GET", "/scenarios");
    expect(
      listed.items.filter(({ environmentId }: { environmentId: string }) => environmentId === id),
    ).toHaveLength(1);
  });

  it("without a word is for the project's people, and asks visitors for no ratings", async () => {
    const id = await visited.environment();
    const { body: made } = await visited.call("PUT", `/environments/${id}/scenario`, {});
    const { body } = await visited.call("GET", `/scenarios/${made.id}`);
    expect(body).toMatchObject({ mode: "project_members", feedback: "off" });
  });

  it("is for admins, and of an environment that is there and not archived", async () => {
    const id = await visited.environment();
    const at = `/environments/${id}/scenario`;
    expect(await visited.call("PUT", at, {}, "member")).toMatchObject({ status: 403 });
    expect(await visited.call("PUT", "/environments/env_none/scenario", {})).toMatchObject({ status: 404 });
    await visited.call("POST", `/environments/${id}/archive`, { expectedRevision: 1 });
    expect(await visited.call("PUT", at, {})).toMatchObject(refused(409, "ENV_ARCHIVED"));
  });

  it("shows its link, servers and settings to the project's people", async () => {
    const { id, link, environmentId } = await visited.publish({ name: "Shop" }, "fettle/rules-1");
    const { body } = await visited.call("GET", `/scenarios/${id}`, undefined, "editor");
    expect(body).toMatchObject({
      id,
      environmentId,
      name: "Shop",
      mode: "anyone_with_link",
      link: { url: link, path: new URL(link).pathname },
      modelId: "fettle/rules-1",
      serverCount: 1,
      serverNames: [visited.bench.server.name],
      servers: [{ id: visited.bench.server.id, useOAuth: false }],
      guestExecution: { enabled: true, dailyCreditCap: 100, toolMode: "read_only" },
      sessionCount: 0,
      liveSessionCount: 0,
      unavailable: null,
    });
  });

  it("points at another environment, unless that is published by itself", async () => {
    const [one, other] = [await visited.publish(), await visited.publish()];
    const free = await visited.environment();
    const rebind = (environmentId: string, person?: "member") =>
      visited.call("POST", `${one.at}/rebind`, { environmentId }, person);
    expect(await rebind(other.environmentId)).toMatchObject(refused(409, "ENVIRONMENT_PUBLISHED"));
    expect(await rebind("env_none")).toMatchObject({ status: 404 });
    expect(await rebind(free, "member")).toMatchObject({ status: 403 });
    expect((await rebind(free)).body).toMatchObject({
      id: one.id,
      environmentId: free,
      accessVersion: 1,
      link: one.link,
    });
  });
});

describe("who is let in", () => {
  const people = [undefined, "stranger", "editor", "member"] as const;
  const rows = [
    ["project_members", [[401, "SIGN_IN_NEEDED"], [403, "NOT_A_PROJECT_MEMBER"], [200], [200]]],
    ["invited_only", [[401, "SIGN_IN_NEEDED"], [403, "NOT_INVITED"], [200], [200]]],
    ["anyone_with_link", [[200], [200], [200], [200]]],
  ] as const;
  it.each(rows)("by %s", async (mode, expected) => {
    const { link } = await visited.publish({ mode });
    for (const [place, person] of people.entries()) {
      const { status, body } = await visited.visitor(person).redeem(link);
      expect([person, status, body.details?.code]).toEqual([
        person,
        expected[place]![0],
        expected[place]![1],
      ]);
    }
  });

  it("is an invited person, by their address or by the link that is theirs alone", async () => {
    const { at, link } = await visited.publish({ mode: "invited_only" });
    const { email } = visited.bench.world.people.stranger;
    const { body } = await visited.call("PUT", `${at}/members`, { email: email.toUpperCase() });
    expect(body).toMatchObject({ email, invited: false, memberId: expect.stringMatching(/^scm_/) });
    expect((await visited.call("PUT", `${at}/members`, { email })).body).toEqual(body);
    expect(await visited.visitor("stranger").redeem(link)).toMatchObject({ status: 200 });
    expect(await visited.visitor().redeem(body.link)).toMatchObject({
      status: 200,
      body: { visitor: { authType: "guest", displayName: email } },
    });
    expect(await visited.visitor().redeem(link)).toMatchObject(refused(401, "SIGN_IN_NEEDED"));
    expect(await visited.call("DELETE", `${at}/members/nobody@example.com`)).toMatchObject({ status: 404 });
    expect((await visited.call("DELETE", `${at}/members/${body.memberId}`)).body).toMatchObject({
      removed: body.memberId,
    });
    expect(await visited.visitor().redeem(body.link)).toMatchObject(refused(404, "LINK_INVALID"));
  });

  it("is nobody while the environment cannot run, and the reason is another than a bad link", async () => {
    const { link, environmentId } = await visited.publish();
    await visited.call("POST", `/environments/${environmentId}/archive`, { expectedRevision: 1 });
    expect(await visited.visitor().redeem(link)).toMatchObject(refused(409, "ENV_ARCHIVED"));
    expect(await visited.visitor().redeem(`${visited.bench.service.url}/t/nothing`)).toMatchObject(
      refused(404, "LINK_INVALID"),
    );
  });
});

describe("a visitor", () => {
  it("finds nothing of another's, whatever ids they know", async () => {
    visited.stub.onModel = () => undefined;
    const { link } = await visited.publish();
    const [one, other] = [visited.visitor(), visited.visitor()];
    const theirs = await one.begin(link);
    const told = await one.say(theirs, "How many copies are there?");
    const { turnId } = told.at(-1)!.data;
    const own = await other.begin(link);
    expect(own).not.toBe(theirs);
    for (const [path, method, body] of [
      [`/sessions/${theirs}/turns/${turnId}/feedback`, "PUT", { value: 1 }],
      [`/sessions/${own}/turns/${turnId}/feedback`, "PUT", { value: 1 }],
      [`/sessions/${theirs}/turns/${turnId}/stop`, "POST"],
      [`/sessions/${theirs}/turns/${turnId}/decisions`, "POST", { toolCallId: "c", allow: true }],
      [`/sessions/${theirs}/end`, "POST"],
      [`/sessions/${theirs}`, "DELETE"],
    ] as const) {
      expect([path, (await other.call(path, method, body)).status]).toEqual([path, 404]);
    }
    expect((await other.send(theirs, "Hello")).status).toBe(404);
    expect(JSON.stringify((await other.call("")).body)).not.toContain(theirs);
    // The cookie opens its scenario alone, and none of the project's own reads.
    const elsewhere = await visited.publish();
    other.scenarioId = elsewhere.id;
    expect(await other.call("")).toMatchObject(refused(401, "VISIT_NEEDED"));
    const { projectId } = visited.bench.world;
    for (const path of ["", "/sessions", `/sessions/${own}`, "/metrics", "/findings"]) {
      const at = `/api/v1/projects/${projectId}/user-testing/scenarios/${elsewhere.id}${path}`;
      expect((await other.browser.call(at)).status).toBe(401);
    }
  });

  it("hears nothing of addresses, prompts, costs or results of tools", async () => {
    const secret = "canary-7431";
    visited.stub.onCall = () => secret;
    visited.stub.onModel = () => undefined;
    const { link } = await visited.publish();
    const someone = visited.visitor();
    const sessionId = await someone.begin(link);
    const told = JSON.stringify(await someone.say(sessionId, "How many copies are there?"));
    const read = JSON.stringify((await someone.call("")).body);
    for (const hidden of [secret, visited.stub.url, "costUsd", "inputTokens", visited.bench.server.id]) {
      expect(told + read).not.toContain(hidden);
    }
    visited.stub.onCall = () => undefined;
  });

  it("is asked for consent first, and held to turns, sessions and pace", async () => {
    visited.stub.onModel = () => undefined;
    const { link, at } = await visited.publish();
    await visited.call("PUT", `${at}/guest-execution`, {
      ...dial(100),
      maxTurnsPerSession: 2,
      maxSessionsPerVisitorPerDay: 2,
    });
    const someone = visited.visitor();
    const first = await someone.begin(link);
    expect((await someone.call("/sessions", "POST")).body.sessionId).toBe(first);
    await someone.say(first, "How many?");
    expect((await someone.say(first, "How many?")).at(-1)).toMatchObject({ data: { turnsLeft: 0 } });
    expect(await someone.send(first, "How many?")).toMatchObject(refused(409, "TOO_MANY_TURNS_IN_SESSION"));
    await someone.call(`/sessions/${first}/end`, "POST");
    const { body: second } = await someone.call("/sessions", "POST");
    for (let sent = 0; sent < 2; sent += 1) await someone.say(second.sessionId, "How many?");
    // The sixth message within the minute was the last.
    await someone.send(second.sessionId, "How many?");
    expect(await someone.send(second.sessionId, "How many?")).toMatchObject(refused(429, "VISITOR_TOO_FAST"));
    await someone.call(`/sessions/${second.sessionId}/end`, "POST");
    const another = () => someone.call("/sessions", "POST");
    expect(await another()).toMatchObject(refused(429, "TOO_MANY_SESSIONS"));
    // Erasing what was said is no way to more of them.
    for (const id of [first, second.sessionId]) await someone.call(`/sessions/${id}`, "DELETE");
    expect(await another()).toMatchObject(refused(429, "TOO_MANY_SESSIONS"));
  });

  it("is answered once for one key, and the turn is not paid again", async () => {
    let asked = 0;
    visited.stub.onModel = () => {
      asked += 1;
      return undefined;
    };
    const { link } = await visited.publish();
    const someone = visited.visitor();
    const sessionId = await someone.begin(link);
    const heard = [];
    for await (const one of await someone.send(sessionId, "How many?", "key-1")) heard.push(one);
    const before = asked;
    const again = [];
    for await (const one of await someone.send(sessionId, "How many?", "key-1")) again.push(one);
    expect(again.at(-1)).toMatchObject({ event: "done", data: { turnId: heard.at(-1)!.data.turnId } });
    expect(asked).toBe(before);
  });

  it("who leaves a session alone for half an hour has ended it", async () => {
    visited.stub.onModel = () => undefined;
    const { link, at } = await visited.publish();
    const someone = visited.visitor();
    const sessionId = await someone.begin(link);
    await someone.say(sessionId, "How many?");
    now += 31 * 60_000;
    expect(await someone.send(sessionId, "Still there?")).toMatchObject(refused(409, "SESSION_OVER"));
    expect((await visited.call("GET", `${at}/sessions`)).body.items).toMatchObject([
      { id: sessionId, ended: "idle" },
    ]);
    expect((await someone.call("/sessions", "POST")).body.sessionId).not.toBe(sessionId);
  });

  it("erases what they have said within a day; its counts stay", async () => {
    visited.stub.onModel = () => undefined;
    const { link, at, id } = await visited.publish();
    const someone = visited.visitor();
    const sessionId = await someone.begin(link);
    const told = await someone.say(sessionId, "My name is canary-9020");
    const { turnId } = told.at(-1)!.data;
    await someone.call(`/sessions/${sessionId}/turns/${turnId}/feedback`, "PUT", {
      value: 1,
      comment: "canary-9021",
    });
    await someone.call(`/sessions/${sessionId}/end`, "POST");
    expect((await someone.call(`/sessions/${sessionId}`, "DELETE")).body).toEqual({
      sessionId,
      erased: true,
    });
    const { body } = await visited.call("GET", `${at}/sessions/${sessionId}`);
    expect(body).toMatchObject({
      ended: "erased",
      transcriptUnavailable: true,
      messageCount: null,
      messages: [],
    });
    expect(JSON.stringify(body)).not.toContain("canary");
    const { rows } = await visited.bench.service.app.pool.query(
      "SELECT s::text AS a, t::text AS b, r::text AS c FROM chat_sessions s JOIN chat_turns t ON t.session_id = s.id LEFT JOIN scenario_ratings r ON r.session_id = s.id WHERE s.id = $1",
      [sessionId],
    );
    expect(JSON.stringify(rows)).not.toContain("canary");
    expect((await visited.call("GET", `/scenarios/${id}`)).body.sessionCount).toBe(1);
  });
});

describe("the dial", () => {
  const spent = async (id: string) => {
    const { rows } = await visited.bench.service.app.pool.query(
      "SELECT spent_usd::float AS spent, held_usd::float AS held FROM scenario_spend_days WHERE scenario_id = $1",
      [id],
    );
    return (rows[0] ?? { spent: 0, held: 0 }) as { spent: number; held: number };
  };

  it("is not passed by fifty guests who talk at once", async () => {
    visited.stub.onModel = () => undefined;
    const { link, at, id } = await visited.publish();
    // Before a call about a cent is set aside: two at once do not fit.
    await visited.call("PUT", `${at}/guest-execution`, dial(2));
    const guests: { someone: Visitor; sessionId: string }[] = [];
    while (guests.length < 50) {
      const someone = visited.visitor();
      guests.push({ someone, sessionId: await someone.begin(link) });
      await visited.forgetPace();
    }
    const endOf = async ({ someone, sessionId }: (typeof guests)[number]): Promise<string> => {
      const answer = await someone.send(sessionId, "How many?");
      let last = answer.status === 200 ? "" : answer.body.details.code;
      if (answer.status === 200) {
        for await (const { event, data } of answer) last = event === "failed" ? data.code : event;
      }
      if (last !== "SCENARIO_BUSY" && last !== "VISITOR_TOO_FAST") return last;
      await visited.forgetPace();
      return endOf({ someone, sessionId });
    };
    const ends = await Promise.all(guests.map(endOf));
    const { spent: usd, held } = await spent(id);
    expect(usd).toBeGreaterThan(0);
    expect(usd + held).toBeLessThanOrEqual(0.02);
    expect(ends).toContain("DAILY_CAP_REACHED");
    expect(ends.every((end) => end === "done" || end === "DAILY_CAP_REACHED")).toBe(true);
  });

  it("at nothing stops paid models at once, and not the one that costs nothing", async () => {
    const [paid, free] = [await visited.publish(), await visited.publish({}, "fettle/rules-1")];
    for (const { at } of [paid, free]) await visited.call("PUT", `${at}/guest-execution`, dial(0));
    const [one, other] = [visited.visitor(), visited.visitor()];
    const paidSession = await one.begin(paid.link);
    expect(await one.send(paidSession, "How many?")).toMatchObject(refused(429, "DAILY_CAP_REACHED"));
    expect((await other.say(await other.begin(free.link), "How many?")).at(-1)).toMatchObject({
      event: "done",
    });
    // The people of the project spend as they do anywhere in it.
    const member = visited.visitor("member");
    expect((await member.say(await member.begin(paid.link), "How many?")).at(-1)).toMatchObject({
      event: "done",
    });
  });

  it("begins anew each day", async () => {
    const { at, link, id } = await visited.publish();
    await visited.call("PUT", `${at}/guest-execution`, dial(100));
    const someone = visited.visitor();
    await someone.say(await someone.begin(link), "How many?");
    const { spent: usd } = await spent(id);
    await visited.call("PUT", `${at}/guest-execution`, dial(usd * 100));
    expect(await someone.send(await someone.begin(link), "How many?")).toMatchObject(
      refused(429, "DAILY_CAP_REACHED"),
    );
    now += 24 * 60 * 60_000;
    await visited.call("PUT", `${at}/guest-execution`, dial(100));
    expect((await someone.say(await someone.begin(link), "How many?")).at(-1)).toMatchObject({
      event: "done",
    });
  });
});

it("a visitor's sessions are counted by the day", async () => {
  const { link, at } = await visited.publish();
  await visited.call("PUT", `${at}/guest-execution`, { ...dial(100), maxSessionsPerVisitorPerDay: 1 });
  const someone = visited.visitor();
  await someone.call(`/sessions/${await someone.begin(link)}/end`, "POST");
  expect(await someone.call("/sessions", "POST")).toMatchObject(refused(429, "TOO_MANY_SESSIONS"));
  now += 24 * 60 * 60_000;
  expect((await someone.call("/sessions", "POST")).status).toBe(201);
});
