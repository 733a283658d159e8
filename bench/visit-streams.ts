/** @module What a thousand visitors whose pages listen cost somebody else: the same reads of two services, one of them with the visitors. */
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { Agent, type ClientRequest, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { type Bench, inRounds, type Row } from "./bench.ts";
import { visitors as crowdSize, prepareCrowds, type Visit } from "./crowd.ts";
import { at, inFolder, openShop, startUnlimited, timed } from "./opening.ts";
import type { ServiceProcess } from "./service-process.ts";

const wanted = 1_000;
/** As many as one address may have. */
const perAddress = 250;
/** Each stream asks whether it may go on every fifteen seconds; a round is long enough for all of them. */
const roundMs = 16_000;
const rounds = 5;

export const visitStreamsBench: Bench = {
  name: "visit-streams",
  run: () => inFolder(measure),
};

async function measure(home: string): Promise<Row[]> {
  await using shop = await openShop();
  const places = await Promise.all(["quiet", "crowded"].map((name) => open(join(home, name), shop.url)));
  const [quiet, crowded] = places as [Place, Place];
  try {
    for (let warm = 0; warm < 100; warm++) for (const { read } of places) await read();
    const before = await inTurn(quiet, crowded);
    const streams = await listen(crowded);
    const measured: { p50: number; p95: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const beside = await inTurn(quiet, crowded);
      // How the two differed anyway is not the streams' doing.
      const times = (share: number) => ratio(beside, share) / ratio(before, share);
      measured.push({ p50: times(0.5), p95: times(0.95) });
    }
    streams.close();
    return [
      {
        what: `open of ${wanted} streams that visitors ask for`,
        value: streams.open,
        unit: "",
        goal: { atLeast: wanted },
      },
      inRounds({
        what: "somebody else's read beside them, p50",
        rounds: measured.map(({ p50 }) => p50),
        unit: "x",
      }),
      inRounds({
        what: "somebody else's read beside them, p95",
        rounds: measured.map(({ p95 }) => p95),
        unit: "x",
        goal: { atMost: 2 },
      }),
    ];
  } finally {
    await Promise.all(places.map(({ service }) => service.stop()));
  }
}

interface Place {
  service: ServiceProcess;
  visits: Visit[];
  /** How long a read by another organization takes. */
  read(): Promise<number>;
}

async function open(data: string, shopUrl: string): Promise<Place> {
  // As root the database runs as another user, who has to get through.
  await mkdir(data, { mode: 0o711 });
  const { visits, read } = await prepareCrowds(data, shopUrl, wanted / crowdSize);
  const service = await startUnlimited(data);
  const ask = async () => {
    const answer = await fetch(service.url + read.path, { headers: read.headers });
    if (!answer.ok) throw new Error(`The read was answered with ${answer.status}.`);
    await answer.arrayBuffer();
  };
  return { service, visits: visits.flat(), read: () => timed(ask) };
}

interface Times {
  quiet: number[];
  crowded: number[];
}

async function inTurn(quiet: Place, crowded: Place): Promise<Times> {
  const times: Times = { quiet: [], crowded: [] };
  for (const until = performance.now() + roundMs; performance.now() < until; ) {
    times.quiet.push(await quiet.read());
    times.crowded.push(await crowded.read());
  }
  return times;
}

function ratio({ quiet, crowded }: Times, share: number): number {
  return at(crowded, share) / at(quiet, share);
}

/** Opens all of them, from a few addresses, and keeps what it is given. */
async function listen({ service, visits }: Place) {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const asked: ClientRequest[] = [];
  let open = 0;
  for (const [index, { path, headers }] of visits.entries()) {
    const url = service.url + path.replace(/sessions$/, "events");
    const localAddress = `127.0.0.${2 + Math.floor(index / perAddress)}`;
    const request = get(url, { agent, headers, localAddress });
    asked.push(request);
    const [response] = (await once(request, "response")) as [IncomingMessage];
    if (response.statusCode === 200) open += 1;
    response.on("error", () => {}).resume();
  }
  return {
    open,
    close: () => {
      for (const request of asked) request.on("error", () => {}).destroy();
      agent.destroy();
    },
  };
}
