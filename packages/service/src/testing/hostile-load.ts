/** @module The whole hostile corpus, saved in one project of a running service and asked everything a person would ask. */
import { HOSTILE_SERVERS, startHostile } from "@fettle/samples";

interface Asked {
  name: string;
  path: string;
  status: number;
}

export interface HostileLoad {
  /** Asks each server for a report, its tools and a call, several servers at a time; resolves when all have been answered. */
  run(): Promise<Asked[]>;
  close(): Promise<void>;
}

export interface HostileLoadOptions {
  /** Of the corpus, those over HTTP are taken; all of it when left out. */
  names?: readonly string[];
  /** Of the project's servers: `http://…/api/v1/projects/prj_…/servers`. */
  servers: string;
  key: string;
  /** How long each server may keep a call waiting. */
  timeoutMs: number;
  /** How many servers are asked at once. */
  atOnce: number;
}

export async function openHostileLoad(options: HostileLoadOptions): Promise<HostileLoad> {
  const { names, servers, key, timeoutMs, atOnce } = options;
  const running = await Promise.all(
    HOSTILE_SERVERS.filter(
      ({ name, transports }) => transports.includes("http") && (names?.includes(name) ?? true),
    ).map(async ({ name }) => ({
      name,
      server: await startHostile(name),
    })),
  );
  const saved: { name: string; path: string }[] = [];
  for (const { name, server } of running) {
    const body = { name, transportType: "http", url: server.url, timeout: timeoutMs };
    const { status, answer } = await post(servers, key, body);
    if (status !== 201) throw new Error(`could not save ${name}: ${status} ${answer}`);
    saved.push({ name, path: `${servers}/${JSON.parse(answer).id}` });
  }

  async function ask({ name, path }: { name: string; path: string }): Promise<Asked[]> {
    const asked: Asked[] = [];
    for (const [what, body] of [
      ["/doctor", {}],
      ["/tools", {}],
      ["/tools/call", { toolName: "echo", parameters: { text: "hi" } }],
      ["/export", {}],
    ] as const) {
      const { status } = await post(path + what, key, body);
      asked.push({ name, path: what, status });
    }
    return asked;
  }

  return {
    async run() {
      const waiting = [...saved];
      const asked: Asked[] = [];
      const worker = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) asked.push(...(await ask(next)));
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      return asked;
    },
    close: async () => {
      await Promise.all(running.map(({ server }) => server.close()));
    },
  };
}

async function post(url: string, key: string, body: unknown): Promise<{ status: number; answer: string }> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, answer: await response.text() };
}
