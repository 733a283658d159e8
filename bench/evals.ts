/** @module The agent loop beside one written by hand, on the same model and the same tool, both of which answer at once; and what ten thousand turns leave behind. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { must } from "../packages/contract/src/formats/index.ts";
import {
  createAgent,
  createModelSource,
  type Model,
  openServers,
  readModelConfiguration,
  type ServerLink,
} from "../packages/evals/src/index.ts";
import { parseTarget } from "../packages/mcp/src/index.ts";
import { type Bench, inRounds, type Row } from "./bench.ts";
import { heapMiB } from "./memory.ts";

/** Many short ones in turn, so that what else the machine does falls on both alike. */
const rounds = 24;
const turnsPerRound = 40;
const prompt = "How many copies of book 7 are there?";

export const evalsBench: Bench = {
  name: "evals",
  run: async () => {
    const script = join(import.meta.dirname, "zero-latency.ts");
    const stub = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(stub.stdout.setEncoding("utf8"), "data");
    const origin = String(line).trim();
    const section = {
      providers: { custom: { zero: { baseUrl: `${origin}/v1`, apiKey: "none" } } },
      limits: { concurrentCalls: 64 },
    };
    const source = createModelSource(readModelConfiguration(section, {}));
    const servers = await openServers([{ name: "zero", target: parseTarget({ url: `${origin}/mcp` }) }]);
    try {
      return await measure(source.open("custom:zero:stub"), servers.links, origin);
    } finally {
      await servers.close();
      source.close();
      stub.kill();
    }
  },
};

async function measure(model: Model, servers: ServerLink[], origin: string): Promise<Row[]> {
  const ours = async () => {
    const agent = createAgent({ model, servers });
    const { stop, steps } = await agent.prompt(prompt);
    if (stop !== "completed" || steps !== 2) throw new Error(`The turn ended as ${stop}.`);
  };
  const byHand = handWritten(must(servers[0], "the server that was opened"), `${origin}/v1/chat/completions`);
  for (let warm = 0; warm < 300; warm++) await Promise.all([ours(), byHand()]);
  const rows: Row[] = [];
  for (const atOnce of [1, 5, 20]) {
    const measured: { own: number; hand: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      measured.push({ own: await turnsPerSecond(ours, atOnce), hand: await turnsPerSecond(byHand, atOnce) });
    }
    rows.push(
      inRounds({
        what: `${atOnce} at once: turns by the agent loop`,
        rounds: measured.map(({ own }) => own),
        unit: "/s",
      }),
      inRounds({
        what: `${atOnce} at once: turns by a loop written by hand`,
        rounds: measured.map(({ hand }) => hand),
        unit: "/s",
      }),
      inRounds({
        what: `${atOnce} at once: share of the loop by hand`,
        rounds: measured.map(({ own, hand }) => own / hand),
        unit: "",
        goal: { atLeast: 0.5 },
      }),
    );
  }
  rows.push(...(await memory(ours)));
  return rows;
}

/** What somebody would write who needs no record, no limits and no second provider. */
export function handWritten({ connection, tools }: ServerLink, url: string): () => Promise<void> {
  const offered = tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema },
  }));
  return async () => {
    const messages: object[] = [{ role: "user", content: prompt }];
    for (;;) {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model: "stub", messages, tools: offered }),
      });
      const { choices } = (await response.json()) as {
        choices: [
          { message: { tool_calls?: { id: string; function: { name: string; arguments: string } }[] } },
        ];
      };
      const [{ message }] = choices;
      messages.push(message);
      if (!message.tool_calls) return;
      for (const { id, function: asked } of message.tool_calls) {
        const result = await connection.callTool(asked.name, JSON.parse(asked.arguments));
        messages.push({ role: "tool", tool_call_id: id, content: JSON.stringify(result.content) });
      }
    }
  };
}

async function turnsPerSecond(turn: () => Promise<void>, atOnce: number): Promise<number> {
  const started = performance.now();
  await many(turn, atOnce, turnsPerRound);
  return turnsPerRound / ((performance.now() - started) / 1_000);
}

export async function many(turn: () => Promise<void>, atOnce: number, count: number): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await turn();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function memory(turn: () => Promise<void>): Promise<Row[]> {
  await many(turn, 5, 100);
  const early = heapMiB();
  await many(turn, 5, 9_900);
  const late = heapMiB();
  return [
    { what: "memory held after 100 turns", value: early, unit: "MiB" },
    { what: "memory held after 10,000 turns", value: late, unit: "MiB" },
    {
      what: "what each thousand turns leave behind",
      value: Math.max(0, (late - early) / 9.9),
      unit: "MiB",
      goal: { atMost: 0.2 },
    },
  ];
}
