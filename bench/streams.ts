/** @module What one account's open streams cost everyone else: the same calls with and without six hundred streams asked for. */
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { Agent, type ClientRequest, get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../packages/contract/src/index.ts";
import { createApp } from "../packages/service/src/app.ts";
import { readConfig } from "../packages/service/src/config.ts";
import { silentLog } from "../packages/service/src/testing/index.ts";
import {
  makeBrowser,
  makeKey,
  makeMember,
  makeOrganization,
  makeProject,
} from "../packages/service/src/testing/people.ts";
import type { Bench, Row } from "./benches.ts";
import { startService } from "./service-process.ts";

const browsers = 20;
const streamsPerBrowser = 30;
const calls = 800;

export const streamsBench: Bench = {
  name: "streams",
  run: async () => {
    const home = await mkdtemp(join(tmpdir(), "fettle-bench-"));
    // As root the database runs as another user, who has to get through.
    await chmod(home, 0o711);
    try {
      return await measure(home);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
};

async function measure(home: string): Promise<Row[]> {
  // Two of the same, one of them without streams: call by call in turn, so that whatever else the machine does falls on both.
  const [quiet, crowded] = [await prepare(join(home, "quiet")), await prepare(join(home, "crowded"))];
  try {
    for (let warm = 0; warm < 100; warm++) for (const { call } of [quiet, crowded]) await call();
    const before = await inTurn(quiet, crowded);
    const streams = await openStreams(crowded);
    const beside = await inTurn(quiet, crowded);
    streams.close();
    // How the two differed anyway is not the streams' doing.
    const times = (share: number) => ratio(beside, share) / ratio(before, share);
    return [
      {
        what: `open of ${browsers * streamsPerBrowser} streams that one account asks for`,
        value: streams.open,
        unit: "",
      },
      { what: "somebody else's read after each change, p50", value: at(before.crowded, 0.5), unit: "ms" },
      { what: "the same beside the streams", value: times(0.5), unit: "x", goal: { atMost: 1.2 } },
      { what: "the same beside the streams, p95", value: times(0.95), unit: "x", goal: { atMost: 1.2 } },
    ];
  } finally {
    await Promise.all([quiet.stop(), crowded.stop()]);
  }
}

interface Prepared {
  url: string;
  projectId: string;
  cookies: string[];
  /** Makes a change that all streams hear; how long a read by somebody without one then takes. */
  call(): Promise<number>;
  stop(): Promise<void>;
}

async function prepare(data: string): Promise<Prepared> {
  const { key, projectId, cookies } = await fill(data);
  const { url, stop } = await startService(data, {
    FETTLE_LIMIT_KEY_PER_MINUTE: "1000000",
    FETTLE_LIMIT_KEY_BURST: "100000",
  });
  const client = createClient({ baseUrl: `${url}/api/v1`, key });
  const call = async () => {
    await client.updateProject({ projectId, body: { name: "Busy" } });
    const startedAt = performance.now();
    await client.getProject({ projectId });
    return performance.now() - startedAt;
  };
  return { url, projectId, cookies, call, stop };
}

interface Times {
  quiet: number[];
  crowded: number[];
}

async function inTurn(quiet: Prepared, crowded: Prepared): Promise<Times> {
  const times: Times = { quiet: [], crowded: [] };
  for (let index = 0; index < calls; index++) {
    times.quiet.push(await quiet.call());
    times.crowded.push(await crowded.call());
  }
  return times;
}

function ratio({ quiet, crowded }: Times, share: number): number {
  return at(crowded, share) / at(quiet, share);
}

async function fill(data: string): Promise<{ key: string; projectId: string; cookies: string[] }> {
  // As root the database runs as another user, who has to get through.
  await mkdir(data, { mode: 0o711 });
  const app = await createApp(readConfig({ flags: { data }, env: {} }), { log: silentLog });
  try {
    const organization = await makeOrganization(app.db, "Bench");
    const other = await makeMember(app.db, organization, "owner");
    const crowd = await makeMember(app.db, organization, "member");
    const cookies: string[] = [];
    for (let index = 0; index < browsers; index++) cookies.push(await makeBrowser(app.db, crowd));
    return {
      key: await makeKey(app.db, organization, other),
      projectId: await makeProject(app.db, organization),
      cookies,
    };
  } finally {
    await app.stop();
  }
}

/** Asks for all of them and keeps what it is given. */
async function openStreams({ url, projectId, cookies }: Prepared) {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const asked: ClientRequest[] = [];
  let open = 0;
  for (let index = 0; index < streamsPerBrowser; index++) {
    await Promise.all(
      cookies.map(async (cookie) => {
        const request = get(`${url}/app/events?topics=project:${projectId}`, { agent, headers: { cookie } });
        asked.push(request);
        const [response] = (await once(request, "response")) as [IncomingMessage];
        if (response.statusCode === 200) open += 1;
        response.on("error", () => {}).resume();
      }),
    );
  }
  return {
    open,
    close: () => {
      for (const request of asked) request.destroy();
      agent.destroy();
    },
  };
}

function at(times: number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}
