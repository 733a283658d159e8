/** @module Callers in a process of their own: a crowd of visitors who all begin in the same moment, or one caller who asks again and again. */
import { Agent, request } from "node:http";

export interface CrowdCall {
  url: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
}

export type CallerTask =
  | { kind: "crowd"; calls: CrowdCall[] }
  /** Until it is told to stop. */
  | { kind: "one"; call: CrowdCall };

export interface Heard {
  ms: number;
  status: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });

function ask({ url, method, headers }: CrowdCall): Promise<Heard> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (answer) => {
      answer.resume();
      answer.once("error", reject);
      answer.once("end", () =>
        resolve({ ms: performance.now() - startedAt, status: answer.statusCode ?? 0 }),
      );
    });
    sent.once("error", reject);
    sent.end();
  });
}

let isStopped = false;

async function work(task: CallerTask): Promise<Heard[]> {
  if (task.kind === "crowd") return Promise.all(task.calls.map(ask));
  const heard: Heard[] = [];
  while (!isStopped) heard.push(await ask(task.call));
  return heard;
}

process.on("message", async (message: CallerTask | "stop") => {
  if (message === "stop") {
    isStopped = true;
    return;
  }
  process.send?.(await work(message));
  process.disconnect?.();
});
