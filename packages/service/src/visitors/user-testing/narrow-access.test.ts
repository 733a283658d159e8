import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PublishedScenario, type VisitedBench, visitedBench } from "../../testing/visited-bench.ts";
import type { Told, Visitor } from "../../testing/visiting.ts";

let visited: VisitedBench;
beforeAll(async () => {
  visited = await visitedBench();
});
afterAll(() => visited[Symbol.asyncDispose]());
beforeEach(() => visited.forgetPace());

const accessEnded = { status: 401, body: { code: "UNAUTHORIZED", details: { code: "ACCESS_ENDED" } } };

async function allOf(heard: AsyncIterable<Told>): Promise<Told[]> {
  const told: Told[] = [];
  for await (const one of heard) told.push(one);
  return told;
}

/** A visitor whose answer is on its way, and whose page listens beside it. */
async function inTheMiddle(someone: Visitor, link: string) {
  const sessionId = await someone.begin(link);
  visited.stub.onModel = () => ({ fault: "silence" });
  const beside = await someone.follow();
  const answer = await someone.send(sessionId, "How many copies are there?");
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return { sessionId, heard: Promise.all([allOf(answer), allOf(beside)]) };
}

const email = () => visited.bench.world.people.stranger.email;
const guestsOff = {
  enabled: false,
  computerEnabled: false,
  sharedSkillsEnabled: true,
  dailyCreditCap: 100,
  dailyComputerStartCap: 0,
  maxConcurrentComputers: 0,
};

/** Each with what it is tried on, and how the same visitor is answered who comes by the link again. */
const narrowing: {
  what: string;
  mode: string;
  as?: "stranger";
  narrow(scenario: PublishedScenario): [method: string, path: string, body?: object];
  again: { status: number; code?: string };
}[] = [
  {
    what: "a tightened mode",
    mode: "anyone_with_link",
    narrow: ({ at }) => ["PATCH", at, { mode: "invited_only" }],
    again: { status: 401, code: "SIGN_IN_NEEDED" },
  },
  {
    what: "the narrowest mode",
    mode: "anyone_with_link",
    as: "stranger",
    narrow: ({ at }) => ["PATCH", at, { mode: "project_members" }],
    again: { status: 403, code: "NOT_A_PROJECT_MEMBER" },
  },
  {
    what: "removing the person",
    mode: "invited_only",
    as: "stranger",
    narrow: ({ at }) => ["DELETE", `${at}/members/${encodeURIComponent(email())}`],
    again: { status: 403, code: "NOT_INVITED" },
  },
  {
    what: "taking the scenario down",
    mode: "anyone_with_link",
    narrow: ({ environmentId }) => ["DELETE", `/environments/${environmentId}/scenario`],
    again: { status: 404, code: "LINK_INVALID" },
  },
  {
    what: "turning guests off",
    mode: "anyone_with_link",
    narrow: ({ at }) => ["PUT", `${at}/guest-execution`, guestsOff],
    again: { status: 403, code: "GUESTS_OFF" },
  },
  {
    what: "rotating the link to put everybody out",
    mode: "anyone_with_link",
    narrow: ({ at }) => ["POST", `${at}/rotate-link`, { evictRedeemed: true }],
    again: { status: 404, code: "LINK_INVALID" },
  },
];

describe("narrowing access", () => {
  it.each(narrowing)("by $what ends what is open at once", async ({ mode, as, narrow, again }) => {
    const scenario = await visited.publish({ mode });
    if (mode === "invited_only") await visited.call("PUT", `${scenario.at}/members`, { email: email() });
    const someone = visited.visitor(as);
    const { sessionId, heard } = await inTheMiddle(someone, scenario.link);
    const [method, path, body] = narrow(scenario);
    expect(await visited.call(method, path, body)).toMatchObject({ status: 200 });
    // From the moment it was answered nothing is let through.
    expect(await someone.call("")).toMatchObject(accessEnded);
    expect(await someone.send(sessionId, "And now?")).toMatchObject(accessEnded);
    expect(await someone.call(`/sessions/${sessionId}/end`, "POST")).toMatchObject(accessEnded);
    const [answer, beside] = await heard;
    expect(answer.at(-1)).toEqual({ event: "ended", data: { reason: "access" } });
    expect(answer.map(({ event }) => event)).not.toContain("done");
    expect(beside.at(-1)).toEqual({ event: "ended", data: { reason: "access" } });
    expect(beside.slice(0, -1).every(({ event }) => event === "changed")).toBe(true);
    const back = await someone.redeem(scenario.link);
    expect([back.status, back.body.details?.code]).toEqual([again.status, again.code]);
  });

  it("lets who still may come back to where they were cut off", async () => {
    const scenario = await visited.publish({ mode: "invited_only" });
    await visited.call("PUT", `${scenario.at}/members`, { email: email() });
    await visited.call("PUT", `${scenario.at}/members`, { email: "other@example.com" });
    const someone = visited.visitor("stranger");
    const { sessionId, heard } = await inTheMiddle(someone, scenario.link);
    await visited.call("DELETE", `${scenario.at}/members/other@example.com`);
    await heard;
    expect(await someone.call("")).toMatchObject(accessEnded);
    visited.stub.onModel = () => undefined;
    expect(await someone.redeem(scenario.link)).toMatchObject({
      status: 200,
      body: { accessVersion: 2, consent: { needed: false }, session: { sessionId, ended: null } },
    });
    expect((await someone.say(sessionId, "How many?")).at(-1)).toMatchObject({ event: "done" });
  });

  it("does not happen by widening, renaming, inviting, rebinding or a plain rotation", async () => {
    const scenario = await visited.publish({ mode: "invited_only" });
    const { link } = (await visited.call("PUT", `${scenario.at}/members`, { email: "ana@example.com" })).body;
    visited.stub.onModel = () => undefined;
    const someone = visited.visitor();
    const sessionId = await someone.begin(link);
    const environmentId = await visited.environment();
    for (const [method, path, body] of [
      ["PATCH", "", { mode: "anyone_with_link" }],
      ["PATCH", "", { name: "Another name" }],
      ["PUT", "/members", { email: "bo@example.com" }],
      ["PUT", "/guest-execution", { ...guestsOff, enabled: true }],
      ["POST", "/rotate-link"],
      ["POST", "/rebind", { environmentId }],
    ] as const) {
      expect(await visited.call(method, `${scenario.at}${path}`, body)).toMatchObject({ status: 200 });
    }
    expect(await someone.call("")).toMatchObject({
      status: 200,
      body: { accessVersion: 1, session: { sessionId } },
    });
    expect((await someone.say(sessionId, "How many?")).at(-1)).toMatchObject({ event: "done" });
  });
});

describe("rotating the link", () => {
  it("kills the old one for new visitors, and leaves those in who are", async () => {
    const scenario = await visited.publish();
    const [one, other] = [visited.visitor(), visited.visitor()];
    await one.begin(scenario.link);
    const { body } = await visited.call("POST", `${scenario.at}/rotate-link`);
    expect(body).toMatchObject({ id: scenario.id, rotated: true });
    expect(body.link).not.toBe(scenario.link);
    expect(await other.redeem(scenario.link)).toMatchObject({
      status: 404,
      body: { details: { code: "LINK_INVALID" } },
    });
    expect(await other.redeem(body.link)).toMatchObject({ status: 200 });
    expect(await one.call("")).toMatchObject({ status: 200 });
  });
});

it("mode changes stand alone", async () => {
  const { at } = await visited.publish();
  expect(await visited.call("PATCH", at, { mode: "project_members", name: "x" })).toMatchObject({
    status: 400,
    body: { details: { code: "MODE_ALONE" } },
  });
  expect(await visited.call("PATCH", at, {})).toMatchObject({ status: 400 });
});
