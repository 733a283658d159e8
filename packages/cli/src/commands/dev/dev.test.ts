/** @module `fettle dev` as a person uses it: a server's file is edited again and again, each report is right, and no process is left. */
import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InspectorState, inspectorHeader } from "@fettle/contract/inspector";
import { startEverything } from "@fettle/samples";
import { expect, test } from "vitest";
import { type FettleProcess, spawnFettle } from "../../testing/process.ts";
import { temporaryFolder } from "../../testing/world.ts";

interface Tool {
  name: string;
  description: string;
  inputSchema: object;
}

/** A server that needs no library, and writes down each process it was. */
const serverOf = (tools: readonly Tool[], prompts: readonly object[] = [], more = "") => `
const { appendFileSync } = require("node:fs");
appendFileSync(process.env.PIDS, process.pid + "\\n");
const tools = ${JSON.stringify(tools)};
const prompts = ${JSON.stringify(prompts)};
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: protocolVersion === "2025-06-18" ? protocolVersion : "2025-11-25",
    capabilities: { tools: {}, prompts: {} },
    serverInfo: { name: "edited", version: "1" },
  }),
  "tools/list": () => ({ tools }),
  "prompts/list": () => ({ prompts }),
  ping: () => ({}),
};
${more}
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: "Method not found" } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
});
`;

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: "object", properties: { of: { type: "string" } } },
  ...more,
});

interface Report {
  event: string;
  number: number;
  files: string[];
  status: string;
  changes: { entityType: string; entityId: string; changeType: string; classification: string }[];
  checks: { check: string; before: string; after: string }[];
  found: { code: string }[];
  mended: { code: string }[];
  stderr: string | null;
}

const linesIn = (text: string): { event: string }[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const linesOf = ({ stdout }: FettleProcess) => linesIn(stdout());

const reportsIn = (text: string) => linesIn(text).filter((line): line is Report => line.event !== "checked");
const reportsOf = ({ stdout }: FettleProcess) => reportsIn(stdout());

interface Checked {
  event: "checked";
  number: number;
  suite: string;
  outcome: string;
  failing: { id: string }[];
  turned: { id: string; from: string; to: string; turn: string }[];
}

const checkedOf = (dev: FettleProcess) =>
  linesOf(dev).filter((line): line is Checked => line.event === "checked");

/** What the protocol suite said behind one report. */
async function checked(dev: FettleProcess, number: number): Promise<Checked> {
  const find = () => checkedOf(dev).find((line) => line.number === number);
  await expect.poll(find, { timeout: 120_000 }).toBeDefined();
  return find()!;
}

async function report(dev: FettleProcess, number: number): Promise<Report> {
  await expect.poll(() => reportsOf(dev).length, { timeout: 60_000 }).toBeGreaterThan(number);
  return reportsOf(dev)[number]!;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A folder with a server, a home for the inspector elsewhere, and the processes that there were. */
async function stage() {
  const cwd = await temporaryFolder();
  const home = await temporaryFolder();
  const pids = join(home, "pids");
  const file = join(cwd, "server.cjs");
  return {
    home,
    cwd,
    file,
    /** In one step, as editors do: a file that is half there is another change. */
    write(content: string) {
      const whole = join(home, "next.cjs");
      writeFileSync(whole, content);
      renameSync(whole, file);
    },
    dev: (...flags: string[]) =>
      spawnFettle(["dev", ...flags, "--env", `PIDS=${pids}`, "--", process.execPath, file], {
        cwd,
        env: { FETTLE_HOME: home, FETTLE_CLI_DISABLE_BROWSER_OPEN: "1" },
      }),
    leftOver: () =>
      readFileSync(pids, "utf8")
        .trim()
        .split("\n")
        .filter((pid) => isAlive(Number(pid))),
  };
}

const said = ({ changes }: Report) =>
  changes.map(({ entityType, entityId, changeType, classification }) =>
    [entityType, entityId, changeType, classification].join(" "),
  );

test("ten edits in a row: ten right reports, and no process left", { timeout: 600_000 }, async () => {
  const { home, write, dev: start, leftOver } = await stage();
  const [a, b] = [tool("a"), tool("b")];
  const required = { type: "object", properties: { of: { type: "string" } }, required: ["of"] };
  const broken = { type: "object", properties: { of: { type: "no such type" } } };
  write(serverOf([a]));
  const dev = start();
  expect(await report(dev, 0)).toMatchObject({ event: "started", status: "ready", counts: { tools: 1 } });
  const edits: [string, string[], object?][] = [
    [serverOf([a, b]), ["tool b added non_breaking"]],
    [serverOf([a, { ...b, description: "Better said." }]), ["tool b modified informational"]],
    [
      serverOf([a, { ...b, description: "Better said.", inputSchema: required }]),
      ["tool b modified breaking"],
    ],
    [serverOf([a]), ["tool b removed breaking"]],
    [serverOf([a], [{ name: "p" }]), ["prompt p added non_breaking"]],
    [
      'throw new Error("Half written");',
      [],
      {
        status: "error",
        stderr: expect.stringContaining("Half written"),
        checks: expect.arrayContaining([
          expect.objectContaining({ check: "connection", before: "ok", after: "error" }),
        ]),
      },
    ],
    // Told against what it was when it last ran.
    [serverOf([a]), ["prompt p removed breaking"], { status: "ready", stderr: null }],
    [
      serverOf([{ ...a, inputSchema: broken }]),
      ["tool a modified breaking"],
      { found: [expect.objectContaining({ code: "BAD_SCHEMA" })] },
    ],
    [
      serverOf([a]),
      ["tool a modified breaking"],
      { mended: [expect.objectContaining({ code: "BAD_SCHEMA" })] },
    ],
    [`${serverOf([a])}// Nothing for those who use it.\n`, []],
  ];
  for (const [at, [content, changes, more = {}]] of edits.entries()) {
    write(content);
    const seen = await report(dev, at + 1);
    expect({ ...seen, changes: said(seen) }).toMatchObject({
      event: "changed",
      files: ["server.cjs"],
      changes,
      ...more,
    });
  }
  // The inspector has a server of its own open: it goes too.
  const { url, token } = InspectorState.parse(JSON.parse(readFileSync(join(home, "inspector.json"), "utf8")));
  const headers = { [inspectorHeader]: `Bearer ${token}`, "content-type": "application/json" };
  const status = await fetch(`${url}/api/status`, { headers });
  const { servers } = (await status.json()) as { servers: { id: string }[] };
  const body = JSON.stringify({ serverId: servers[0]!.id });
  expect((await fetch(`${url}/api/mcp/connect`, { method: "POST", headers, body })).ok).toBe(true);
  dev.child.kill("SIGINT");
  expect(await dev.exit).toMatchObject({ code: 0 });
  expect(reportsOf(dev)).toHaveLength(11);
  // No report waited for the suite: it is told behind its own, or not at all.
  const told = linesOf(dev).map((line) => [line.event, (line as Report).number] as const);
  for (const [event, number] of told.filter(([each]) => each === "checked"))
    expect(told.findIndex(([each, other]) => each !== "checked" && other === number)).toBeLessThan(
      told.findIndex(([each, other]) => each === event && other === number),
    );
  await expect.poll(leftOver, { timeout: 60_000 }).toEqual([]);
  expect(existsSync(join(home, "inspector.json"))).toBe(false);
});

test("behind a report the protocol suite says which of its checks turned, and a change meanwhile gives it up", async () => {
  const { write, dev: start, leftOver } = await stage();
  write(serverOf([tool("a")]));
  const dev = start("--no-inspector");
  const first = await checked(dev, 0);
  expect(first).toMatchObject({ suite: "protocol", turned: [] });
  // Two in a row: what the suite had begun on the first of them is given up, unless it was over already.
  write(serverOf([tool("a"), tool("b")]));
  await report(dev, 1);
  write(serverOf([tool("a")], [], "delete answers.ping;"));
  await report(dev, 2);
  await checked(dev, 2);
  // The first of them may have started the server only when the second had been written.
  expect(checkedOf(dev).flatMap(({ turned }) => turned)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: "ping", from: "passed", to: "failed", turn: "worse" }),
    ]),
  );
  write(serverOf([tool("a")]));
  const mended = await checked(dev, 3);
  expect(mended.turned).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: "ping", from: "failed", to: "passed", turn: "better" }),
    ]),
  );
  // Each stands behind its report.
  const order = linesOf(dev).map(({ event }) => event);
  expect(order.indexOf("checked")).toBeGreaterThan(order.indexOf("started"));
  dev.child.kill("SIGINT");
  expect(await dev.exit).toMatchObject({ code: 0 });
  await expect.poll(leftOver, { timeout: 60_000 }).toEqual([]);
});

test("what it writes into the folder that it watches leads to no further report", async () => {
  const { home, cwd, file, write, leftOver } = await stage();
  write(serverOf([tool("a")]));
  const out = join(cwd, "out.txt");
  const fd = openSync(out, "a");
  const argv = ["dev", "--no-inspector", "--env", `PIDS=${join(home, "pids")}`, "--", process.execPath, file];
  const { child, exit } = spawnFettle(argv, { cwd, env: { FETTLE_HOME: home }, output: fd });
  closeSync(fd);
  const told = () => reportsIn(readFileSync(out, "utf8"));
  await expect.poll(() => readFileSync(out, "utf8"), { timeout: 120_000 }).toContain('"checked"');
  write(serverOf([tool("a"), tool("b")]));
  await expect.poll(() => told().length, { timeout: 60_000 }).toBeGreaterThan(1);
  expect(told().map(({ files }) => files)).toEqual([[], ["server.cjs"]]);
  child.kill("SIGINT");
  expect(await exit).toMatchObject({ code: 0 });
  expect(leftOver()).toEqual([]);
});

test("a folder that is not there is a usage error before anything starts", async () => {
  const { home, dev: start } = await stage();
  const dev = start("--watch", join(home, "no such folder"), "--format", "json");
  expect(await dev.exit).toMatchObject({ code: 2 });
  expect(JSON.parse(dev.stderr()).error.message).toContain("no such folder");
  expect(existsSync(join(home, "pids"))).toBe(false);
  expect(existsSync(join(home, "inspector.json"))).toBe(false);
});

test("a server that stops running says why once, and what was not looked at is no success", async () => {
  const { write, dev: start } = await stage();
  write(serverOf([tool("a")]));
  const dev = start("--no-inspector", "--format", "human");
  await dev.untilSaid("First look");
  const before = dev.stdout().length;
  write('console.error("No key."); process.exit(3);');
  await dev.untilSaid("Waiting for the next change.");
  const told = dev.stdout().slice(before);
  expect(told.match(/exited with code 3/g)).toHaveLength(1);
  expect(told.match(/No key\./g)).toHaveLength(1);
  expect(told).not.toMatch(/✓.*skipped/);
  dev.child.kill("SIGINT");
  expect(await dev.exit).toMatchObject({ code: 0 });
});

test("a server that never starts is waited for, and stopping leaves nothing", async () => {
  const { write, dev: start, leftOver } = await stage();
  write(
    'require("node:fs").appendFileSync(process.env.PIDS, process.pid + "\\n"); console.error("No key."); process.exit(3);',
  );
  const dev = start("--no-inspector", "--format", "human");
  await dev.untilSaid("Waiting for the next change.");
  expect(dev.stdout()).toContain("No key.");
  dev.child.kill("SIGTERM");
  expect(await dev.exit).toMatchObject({ code: 0 });
  expect(leftOver()).toEqual([]);
});

test("a server at an address is looked at by itself; files do not go with it", async () => {
  const everything = await startEverything();
  const cwd = await temporaryFolder();
  const flags = ["dev", "--url", everything.url, "--no-inspector"];
  const dev = spawnFettle(flags, { cwd });
  expect(await report(dev, 0)).toMatchObject({ status: "ready" });
  await everything.close();
  expect(await report(dev, 1)).toMatchObject({ status: "error", changes: [] });
  dev.child.kill("SIGINT");
  expect(await dev.exit).toMatchObject({ code: 0 });
  const refused = spawnFettle([...flags, "--watch", "."], { cwd });
  expect(await refused.exit).toMatchObject({ code: 2 });
});
