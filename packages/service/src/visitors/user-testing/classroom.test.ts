/** A class of sixty behind one address, as real ones are. */
import { idOf, limits } from "@fettle/contract/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type VisitedBench, visitedBench } from "../../testing/visited-bench.ts";
import type { Told, Visitor } from "../../testing/visiting.ts";
import { createTurnLines } from "./turn-lines.ts";

const { userTesting } = limits;
let now = Date.now();
let visited: VisitedBench;
beforeAll(async () => {
  visited = await visitedBench({ now: () => now });
});
afterAll(() => visited[Symbol.asyncDispose]());

const refused = (status: number, code: string) => ({ status, body: { details: { code } } });

async function classOf(size: number, link: string) {
  const pupils = Array.from({ length: size }, () => visited.visitor());
  return Promise.all(pupils.map(async (pupil) => ({ pupil, sessionId: await pupil.begin(link) })));
}

async function endOf(pupil: Visitor, sessionId: string): Promise<{ last: Told; waited: number[] }> {
  const told = await pupil.say(sessionId, "How many copies of book 7?");
  const waited = told.flatMap(({ event, data }) => (event === "waiting" ? [data.ahead as number] : []));
  return { last: told.at(-1)!, waited };
}

describe("sixty visitors with one address", () => {
  it("open the link, agree and begin in the same moment", async () => {
    const { link } = await visited.publish();
    const pupils = Array.from({ length: 60 }, () => visited.visitor());
    const opened = await Promise.all(pupils.map((pupil) => pupil.redeem(link)));
    expect(opened.map(({ status }) => status)).toEqual(Array(60).fill(200));
    const begun = await Promise.all(
      pupils.map(async (pupil) => {
        await pupil.call("/consent", "POST", { agrees: true });
        return (await pupil.call("/sessions", "POST")).status;
      }),
    );
    expect(begun).toEqual(Array(60).fill(201));
  });

  it("write in the same moment, wait their turn, and are all answered", async () => {
    const { link } = await visited.publish();
    const pupils = await classOf(60, link);
    visited.stub.modelMs = 100;
    let working = 0;
    let most = 0;
    visited.stub.onCall = async () => {
      most = Math.max(most, ++working);
      await new Promise(setImmediate);
      working--;
      return undefined;
    };
    const ends = await Promise.all(pupils.map(({ pupil, sessionId }) => endOf(pupil, sessionId)));
    visited.stub.modelMs = 0;
    expect(ends.map(({ last }) => last.event)).toEqual(Array(60).fill("done"));
    expect(most).toBeLessThanOrEqual(userTesting.concurrentTurns);
    expect(ends.filter(({ waited }) => waited.length > 0).length).toBeGreaterThanOrEqual(40);
    // Nobody passes those who came before.
    for (const { waited } of ends) expect(waited).toEqual(waited.toSorted((one, other) => other - one));
  });
});

describe("abuse is bounded", () => {
  const emptied = async (bucket: string) =>
    visited.bench.service.app.pool.query(
      "UPDATE rate_limits SET tokens = 0, refilled_at = clock_timestamp() WHERE id LIKE $1",
      [`${bucket}:%`],
    );

  it("wrong links are counted by address, and shut out nobody who has the right one", async () => {
    const { link } = await visited.publish();
    const wrong = () => visited.visitor().redeem(`${visited.bench.service.url}/t/nothing`);
    for (let tries = 0; tries < userTesting.opensPerMinute.wrongLink; tries++) {
      expect(await wrong()).toMatchObject(refused(404, "LINK_INVALID"));
    }
    expect((await wrong()).status).toBe(429);
    expect(await visited.visitor().redeem(link)).toMatchObject({ status: 200 });
  });

  it("a browser that opens the link again and again is counted by itself", async () => {
    const { link } = await visited.publish();
    const someone = visited.visitor();
    await someone.redeem(link);
    for (let tries = 0; tries < userTesting.opensPerMinute.visitor; tries++) {
      expect((await someone.redeem(link)).status).toBe(200);
    }
    expect((await someone.redeem(link)).status).toBe(429);
    expect((await visited.visitor().redeem(link)).status).toBe(200);
  });

  it("new visitors of an address are counted by scenario, and those who are in already go on", async () => {
    const [{ link }, other] = [await visited.publish(), await visited.publish()];
    const someone = visited.visitor();
    await someone.redeem(link);
    await emptied("visit-open-address");
    expect((await visited.visitor().redeem(link)).status).toBe(429);
    expect((await someone.redeem(link)).status).toBe(200);
    expect((await visited.visitor().redeem(other.link)).status).toBe(200);
  });

  it("messages of an address are counted by scenario", async () => {
    const [one, other] = [await visited.publish(), await visited.publish()];
    const [first] = await classOf(1, one.link);
    const [second] = await classOf(1, other.link);
    expect((await endOf(first!.pupil, first!.sessionId)).last.event).toBe("done");
    await emptied("visit-turn-address");
    expect(await first!.pupil.send(first!.sessionId, "Again?")).toMatchObject(refused(429, "SCENARIO_BUSY"));
    expect((await endOf(second!.pupil, second!.sessionId)).last.event).toBe("done");
  });
});

describe("the line", () => {
  /** As many answers as may be played at once, held until they are let go. */
  async function busy() {
    const { link } = await visited.publish();
    const going = Promise.withResolvers<undefined>();
    visited.stub.onCall = () => going.promise;
    const pupils = await classOf(userTesting.concurrentTurns, link);
    const answers = pupils.map(({ pupil, sessionId }) => endOf(pupil, sessionId));
    const { app } = visited.bench.service;
    await expect
      .poll(async () => {
        const { rows } = await app.pool.query(
          "SELECT count(*)::int AS n FROM chat_turns WHERE status = 'running'",
        );
        return rows[0].n;
      })
      .toBe(userTesting.concurrentTurns);
    const over = async () => {
      going.resolve(undefined);
      visited.stub.onCall = () => undefined;
      expect((await Promise.all(answers)).map(({ last }) => last.event)).toEqual(
        Array(userTesting.concurrentTurns).fill("done"),
      );
    };
    return { link, over };
  }

  it("ends after a bounded time with a refusal, and the message can be sent again under its key", async () => {
    const { link, over } = await busy();
    const [late] = await classOf(1, link);
    const stream = await late!.pupil.send(late!.sessionId, "How many?", "late");
    const told: Told[] = [];
    for await (const one of stream) {
      told.push(one);
      now += userTesting.line.waitMs;
    }
    expect(told.map(({ event }) => event)).toEqual(["waiting", "failed"]);
    expect(told.at(-1)!.data.code).toBe("SCENARIO_BUSY");
    await over();
    const again: Told[] = [];
    for await (const one of await late!.pupil.send(late!.sessionId, "How many?", "late")) again.push(one);
    expect(again.at(-1)).toMatchObject({ event: "done" });
  });

  it("is no longer than it may be", () => {
    const lines = createTurnLines();
    const scenarioId = idOf<"scenario">().parse("scn_1");
    const places = Array.from({ length: userTesting.line.longest }, () => lines.join(scenarioId)!);
    expect(lines.join(scenarioId)).toBeUndefined();
    expect(lines.join(idOf<"scenario">().parse("scn_2"))).toBeDefined();
    expect(places.at(-1)!.ahead()).toBe(userTesting.line.longest - 1);
    for (const place of places) place.leave();
    expect(lines.isEmpty(scenarioId)).toBe(true);
  });

  it("is left by whoever goes, and lets in the next", async () => {
    const { link, over } = await busy();
    const [first, second] = await classOf(2, link);
    const gone = await first!.pupil.send(first!.sessionId, "How many?");
    for await (const { event } of gone) {
      expect(event).toBe("waiting");
      break;
    }
    const stays = endOf(second!.pupil, second!.sessionId);
    await gone.close();
    await over();
    expect((await stays).last.event).toBe("done");
    const { rows } = await visited.bench.service.app.pool.query(
      "SELECT count(*)::int AS n FROM chat_turns WHERE session_id = $1",
      [first!.sessionId],
    );
    expect(rows).toEqual([{ n: 0 }]);
  });
});
