/** @module A load generator in a process of its own: many connections, one request at a time on each, nothing but sockets. */
import { connect, type Socket } from "node:net";
import { must } from "../packages/contract/src/formats/index.ts";

export interface Load {
  host: string;
  port: number;
  path: string;
  /** A bearer per request, in turn, so that no key meets its limit. */
  keys: string[];
  connections: number;
  seconds: number;
}

export interface Measured {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers other than 200. */
  refused: number;
}

const headEnd = Buffer.from("\r\n\r\n");

async function generate(load: Load): Promise<Measured> {
  const requests = load.keys.map((key) =>
    Buffer.from(
      `GET ${load.path} HTTP/1.1\r\nHost: ${load.host}:${load.port}\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    ),
  );
  const latencies: number[] = [];
  let refused = 0;
  let next = 0;
  const endAt = performance.now() + load.seconds * 1000;
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: load.connections }, () => runConnection()));
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((one, other) => one - other);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { perSecond: latencies.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), refused };

  function runConnection(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket: Socket = connect(load.port, load.host);
      let held = Buffer.alloc(0);
      let sentAt = 0;
      const send = () => {
        sentAt = performance.now();
        socket.write(must(requests[next++ % requests.length], "a request"));
      };
      socket.setNoDelay(true);
      socket.once("connect", send);
      socket.once("error", reject);
      socket.on("data", (chunk) => {
        held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
        const end = held.indexOf(headEnd);
        if (end === -1) return;
        const head = held.toString("latin1", 0, end);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (held.length < end + 4 + length) return;
        held = Buffer.alloc(0);
        latencies.push(performance.now() - sentAt);
        if (!head.startsWith("HTTP/1.1 200")) refused += 1;
        if (performance.now() < endAt) send();
        else {
          socket.destroy();
          resolve();
        }
      });
    });
  }
}

process.once("message", async (load: Load) => {
  process.send?.(await generate(load));
  process.disconnect?.();
});
