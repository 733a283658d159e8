/**
 * @module What five hundred visitors of one organization who begin in the same moment cost somebody else: the same read by another
 * organization before and meanwhile. The service, the visitors and the other caller are processes of their own.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { idOf } from "../packages/contract/src/core/index.ts";
import { must } from "../packages/contract/src/formats/index.ts";
import { newId } from "../packages/service/src/core/id.ts";
import { createEnvironment } from "../packages/service/src/environments/saved/environments.ts";
import { hashToken, mintToken } from "../packages/service/src/people/accounts/tokens.ts";
import { createClient } from "../packages/service/src/servers/clients/clients.ts";
import { createServer } from "../packages/service/src/servers/saved/servers.ts";
import {
  makeKey,
  makeMember,
  makeOrganization,
  makeProject,
} from "../packages/service/src/testing/people.ts";
import { publishScenario } from "../packages/service/src/visitors/user-testing/scenarios.ts";
import { insertVisitor } from "../packages/service/src/visitors/user-testing/session-store.ts";
import type { Bench, Row } from "./bench.ts";
import type { CallerTask, CrowdCall, Heard } from "./crowd-caller.ts";
import { at, fill, inFolder, openShop, startUnlimited } from "./opening.ts";

export const visitors = 500;
const aloneMs = 4_000;
const crowds = 3;

export const crowdBench: Bench = {
  name: "crowd",
  run: () => inFolder(measure),
};

async function measure(folder: string): Promise<Row[]> {
  await using shop = await openShop();
  const made = await prepareCrowds(folder, shop.url, crowds + 1);
  const service = await startUnlimited(folder);
  try {
    const read: CrowdCall = { method: "GET", url: service.url + made.read.path, headers: made.read.headers };
    // What the first requests of a process compile is not the crowd's doing.
    await during(read, () =>
      crowd(service.url, must(made.visits[0], "the visits of a first visitor").slice(0, 20)),
    );
    const alone = await during(read, () => delay(aloneMs));
    const beside: Heard[] = [];
    const begun: Heard[] = [];
    for (const visits of made.visits.slice(1)) {
      beside.push(
        ...(await during(read, async () => void begun.push(...(await crowd(service.url, visits))))),
      );
    }
    const times = (heard: Heard[]) => heard.map(({ ms }) => ms);
    const refused = begun.filter(({ status }) => status >= 300).length;
    const before = at(times(alone), 0.95);
    const meanwhile = at(times(beside), 0.95);
    return [
      {
        what: `visitors who begin at once and are refused, of ${begun.length}`,
        value: refused,
        unit: "",
        goal: { atMost: 0 },
      },
      { what: "until the last of a crowd has begun", value: Math.max(...times(begun)), unit: "ms" },
      { what: "somebody else's read, p95", value: before, unit: "ms" },
      { what: "the same beside the crowd, p95", value: meanwhile, unit: "ms" },
      { what: "the same beside the crowd, the longest", value: Math.max(...times(beside)), unit: "ms" },
      { what: "the same beside the crowd, p95", value: meanwhile / before, unit: "x", goal: { atMost: 3 } },
    ];
  } finally {
    await service.stop();
  }
}

const program = join(import.meta.dirname, "crowd-caller.ts");

async function start(task: CallerTask): Promise<{ child: ChildProcess; heard: Promise<Heard[]> }> {
  const child = fork(program);
  await once(child, "spawn");
  const heard = once(child, "message").then(([told]) => told as Heard[]);
  child.send(task);
  return { child, heard };
}

/** What one caller hears while `work` is done. */
async function during(call: CrowdCall, work: () => Promise<unknown>): Promise<Heard[]> {
  const { child, heard } = await start({ kind: "one", call });
  await work();
  child.send("stop");
  return heard;
}

export type Visit = { path: string; headers: Record<string, string> };

async function crowd(url: string, visits: readonly Visit[]): Promise<Heard[]> {
  const calls = visits.map(({ path, headers }): CrowdCall => ({ method: "POST", url: url + path, headers }));
  const { heard } = await start({ kind: "crowd", calls });
  return heard;
}

/** An organization with crowds that have come and agreed, and another one with a few servers. */
export function prepareCrowds(
  data: string,
  shopUrl: string,
  count: number,
): Promise<{ visits: Visit[][]; read: Visit }> {
  return fill(data, async (app) => {
    const { db } = app;
    const makePlace = async (name: string) => {
      const organizationId = await makeOrganization(db, name);
      const userId = await makeMember(db, organizationId, "owner");
      const projectId = await makeProject(db, organizationId);
      const server = { name: "Shop", enabled: true, transportType: "http" as const, url: shopUrl };
      const { id: serverId } = await createServer(app, db, projectId, userId, server);
      return { organizationId, userId, projectId, serverId };
    };
    const busy = await makePlace("Busy");
    const config = { modelId: "fettle/rules-1", serverIds: [busy.serverId] };
    const client = await createClient(app, db, busy.projectId, busy.userId, { name: "Reader", config });
    const environment = await createEnvironment(app, db, busy.projectId, busy.userId, {
      name: "Shop",
      hostId: client.id,
    });
    const { id } = await publishScenario(
      app,
      { projectId: busy.projectId, userId: busy.userId, origin: "http://127.0.0.1" },
      idOf<"environment">().parse(environment.id),
      { mode: "anyone_with_link" },
    );
    const scenarioId = idOf<"scenario">().parse(id);
    const come = async (): Promise<Visit> => {
      const { token } = mintToken("visit");
      const now = new Date();
      await insertVisitor(db, {
        ...{ id: newId("visitor"), scenarioId, tokenHash: hashToken(token.reveal()), accessVersion: 1 },
        ...{ isOfProject: false, consentedAt: now, createdAt: now, lastSeenAt: now },
      });
      return {
        path: `/app/visits/${scenarioId}/sessions`,
        headers: { cookie: `fettle_visit_${scenarioId}=${token.reveal()}`, "x-fettle-app": "1" },
      };
    };
    const visits: Visit[][] = [];
    for (let crowd = 0; crowd < count; crowd++) {
      visits.push(await Promise.all(Array.from({ length: visitors }, come)));
    }
    const other = await makePlace("Other");
    const key = await makeKey(db, other.organizationId, other.userId);
    return {
      visits,
      read: {
        path: `/api/v1/projects/${other.projectId}/servers`,
        headers: { authorization: `Bearer ${key}` },
      },
    };
  });
}
