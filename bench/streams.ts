/** @module What one account's open streams cost everyone else: the same calls with and without six hundred streams asked for. */
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { Agent, type ClientRequest, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { createClient } from "../packages/contract/src/client/index.ts";
import {
  makeBrowser,
  makeKey,
  makeMember,
  makeOrganization,
  makeProject,
} from "../packages/service/src/testing/people.ts";
import type { Bench, Row } from "./bench.ts";
import { at, fill, inFolder, startUnlimited, timed } from "./opening.ts";

const browsers = 20;
const streamsPerBrowser = 30;
const calls = 800;

export const streamsBench: Bench = {
  name: "streams",
  run: () => inFolder(measure),
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
  const { key, projectId, cookies } = await fillCrowd(data);
  const { url, stop } = await startUnlimited(data);
  const client = createClient({ baseUrl: `${url}/api/v1`, key });
  const call = async () => {
    await client.updateProject({ projectId, body: { name: "Busy" } });
    return timed(() => client.getProject({ projectId }));
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

async function fillCrowd(data: string): Promise<{ key: string; projectId: string; cookies: string[] }> {
  // As root the database runs as another user, who has to get through.
  await mkdir(data, { mode: 0o711 });
  return fill(data, async (app) => {
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
  });
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
