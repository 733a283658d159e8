import { mkdtempSync, rmdirSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { classifyFailure } from "../classify-failure.ts";
import { isMcpError, type McpError } from "../failure.ts";
import { type ConnectOptions, connect } from "../session/connect.ts";
import type { Connection } from "../session/connection.ts";
import { parseTarget } from "../target.ts";
import { processMark } from "../testing/processes.ts";

const server = `${import.meta.dirname}/../testing/hostile-stdio.ts`;
const quick: ConnectOptions = { timeouts: { connectMs: 8_000, idleMs: 1_500, totalMs: 4_000 }, probeMs: 300 };

/** Connects, runs the step, closes, and holds that nothing is left running. */
async function against(
  habit: string,
  step: (connection: Connection) => Promise<void>,
  options: ConnectOptions = {},
): Promise<void> {
  const mark = processMark();
  const target = parseTarget({ command: process.execPath, args: [server, habit], env: mark.env });
  const connection = await connect(target, { ...quick, ...options });
  try {
    await step(connection);
  } finally {
    await connection.close();
  }
  expect(mark.left()).toEqual([]);
}

async function failureOf(attempt: Promise<unknown>): Promise<McpError> {
  const error = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isMcpError(error)) throw new Error(`expected an McpError, got ${String(error)}`);
  return error;
}

async function failureToConnect(habit: string, options: ConnectOptions = {}): Promise<McpError> {
  const mark = processMark();
  const target = parseTarget({ command: process.execPath, args: [server, habit], env: mark.env });
  const failure = await failureOf(connect(target, { ...quick, ...options }));
  expect(mark.left()).toEqual([]);
  return failure;
}

/** For answers whose size is the point, and for what comes after them: on a busy machine they may be long on their way. */
const patience = { timeouts: { idleMs: 30_000, totalMs: 30_000 } };

const stillWorks = async (connection: Connection) =>
  expect(await connection.callTool("echo", {}, patience)).toMatchObject({ content: [{ text: "echo" }] });

/** Live bytes after a call, beyond what was live before. */
async function growth(step: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  await step();
  clearInterval(watch);
  return peak - before;
}

test("a line without end is cut off, and memory stays bounded", () =>
  against("endless-line", async (connection) => {
    let failure: McpError | undefined;
    const grown = await growth(async () => {
      failure = await failureOf(connection.callTool("work", {}, patience));
    });
    expect(failure!.code).toBe("TOO_LARGE");
    expect(grown).toBeLessThan(150 * 1024 * 1024);
  }));

test("an answer past the cap fails its own call alone", () =>
  against("long-line", async (connection) => {
    const grown = await growth(async () => {
      expect((await failureOf(connection.callTool("work", {}, patience))).code).toBe("TOO_LARGE");
    });
    expect(grown).toBeLessThan(150 * 1024 * 1024);
    await stillWorks(connection);
  }));

test.each(["many-keys", "deep"])("%s: refused before it is parsed, the connection goes on", (habit) =>
  against(habit, async (connection) => {
    expect((await failureOf(connection.callTool("work", {}, patience))).code).toBe("TOO_LARGE");
    await stillWorks(connection);
  }),
);

test("garbage on stdout is evidence, named when the call times out", () =>
  against("garbage", async (connection) => {
    const failure = await failureOf(connection.callTool("work"));
    expect(failure).toMatchObject({ code: "TIMEOUT" });
    expect(classifyFailure(failure)).toMatchObject({ code: "STDOUT_POLLUTED", apiCode: "TIMEOUT" });
    await stillWorks(connection);
  }));

test("a banner before the first message is noted and survived", () =>
  against("banner", async (connection) => {
    expect(connection.problems.map((problem) => problem.code)).toEqual(["MALFORMED", "MALFORMED"]);
    await stillWorks(connection);
  }));

test("an answer with another id is no answer", () =>
  against("wrong-id", async (connection) => {
    const failure = await failureOf(connection.callTool("work"));
    expect(failure.code).toBe("INVALID_MESSAGE");
    expect(failure.message).toMatch(/carries the string "\d+"/);
    await stillWorks(connection);
  }));

test("a malformed answer fails its call at once", () =>
  against("no-jsonrpc", async (connection) => {
    const failure = await failureOf(connection.callTool("work"));
    expect(failure).toMatchObject({ code: "INVALID_MESSAGE", message: expect.stringContaining('"jsonrpc"') });
    await stillWorks(connection);
  }));

test("the first of two answers counts, the second is a problem", () =>
  against("twice", async (connection) => {
    expect(await connection.callTool("work")).toMatchObject({ content: [{ text: "first" }] });
    await stillWorks(connection);
    expect(connection.problems.map((problem) => problem.code)).toEqual(["DUPLICATE_ANSWER"]);
  }));

test("a hang costs the idle time and no more", () =>
  against("hang", async (connection) => {
    const started = performance.now();
    const failure = await failureOf(connection.callTool("work", {}, { timeouts: { idleMs: 300 } }));
    expect(failure).toMatchObject({ code: "TIMEOUT", details: { phase: "idle" } });
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(classifyFailure(failure).code).toBe("HANGS");
    await stillWorks(connection);
  }));

test("death in mid-call is told at once, with the last words", () =>
  against("die-mid-call", async (connection) => {
    const failure = await failureOf(connection.callTool("work"));
    expect(failure).toMatchObject({ code: "PROCESS_EXITED", details: { exitCode: 1 } });
    expect(classifyFailure(failure)).toMatchObject({
      code: "CRASHED",
      next: { text: expect.stringContaining("panic") },
    });
    expect((await failureOf(connection.ping())).code).toBe("PROCESS_EXITED");
  }));

test("a flood of requests is answered up to a cap and refused beyond", () =>
  against(
    "floods-requests",
    async (connection) => {
      await connection.callTool("work");
      expect(connection.problems.some((problem) => problem.code === "BUSY")).toBe(true);
      await stillWorks(connection);
    },
    { handlers: { elicitation: () => new Promise(() => {}) } },
  ));

test("a cursor that goes in a circle ends the walk", () =>
  against("cyclic-cursor", async (connection) => {
    const walk = await connection.listTools();
    expect(walk).toMatchObject({ truncated: true, truncatedBecause: "cycle", pages: 2 });
  }));

test("pages without end stop at the cap and say so", () =>
  against("endless-pages", async (connection) => {
    const walk = await connection.listTools();
    expect(walk).toMatchObject({ truncated: true, truncatedBecause: "page-cap", pages: 50 });
    expect(walk.items).toHaveLength(50);
  }));

test("malformed tools are set aside, the others stay", () =>
  against("malformed-tool", async (connection) => {
    const walk = await connection.listTools();
    expect(walk.items.map((tool) => tool.name)).toEqual(["good", "also-good", "good"]);
    expect(walk.problems.map(({ index, reason }) => [index, reason])).toEqual([
      [1, '"name" is not a non-empty string'],
      [2, '"inputSchema" is not an object'],
      [3, "not an object"],
      [5, 'Two tools are named "good".'],
    ]);
  }));

test.each(["ignores-unknown", "dies-of-unknown"])(
  "%s: the stateless question does not spoil the handshake",
  (habit) =>
    against(habit, async (connection) => {
      expect(connection.era).toBe("stateful");
      await stillWorks(connection);
    }),
);

test.each(["stays-for-ever", "has-children"])("%s: nothing is left after close", (habit) =>
  against(habit, stillWorks),
);

test("stderr is kept by its two ends", () =>
  against("noisy-stderr", async (connection) => {
    await stillWorks(connection);
    const recorded = connection.recorder.read().entries.filter((entry) => entry.kind === "stderr");
    expect(recorded.length).toBeGreaterThan(0);
  }));

test("a crash at start is told with its stderr", async () => {
  const failure = await failureToConnect("crash-at-start");
  expect(failure).toMatchObject({
    code: "PROCESS_EXITED",
    details: { exitCode: 3, stderr: expect.stringContaining("DATABASE_URL") },
  });
  expect(classifyFailure(failure).code).toBe("CRASHED_AT_START");
});

test("a server that never answers costs the connect time and no more", async () => {
  const started = performance.now();
  const failure = await failureToConnect("hang-at-start", { timeouts: { connectMs: 700 } });
  expect(failure).toMatchObject({ code: "TIMEOUT" });
  expect(performance.now() - started).toBeLessThan(20_000);
});

test("a version nobody knows is a version mismatch", async () => {
  const failure = await failureToConnect("strange-version");
  expect(failure).toMatchObject({ code: "VERSION_MISMATCH", details: { answered: "1999-01-01" } });
});

test("a command that does not exist is told as such", async () => {
  const target = parseTarget({ command: "/no/such/command" });
  const failure = await failureOf(connect(target, quick));
  expect(failure.code).toBe("SPAWN_FAILED");
  expect(classifyFailure(failure).code).toBe("COMMAND_NOT_FOUND");
});

// Root enters every folder.
test.skipIf(process.getuid?.() === 0)("and so it is where a folder of PATH may not be entered", async () => {
  const closed = mkdtempSync(join(tmpdir(), "fettle-closed-"));
  onTestFinished(() => rmdirSync(closed));
  await chmod(closed, 0);
  const target = parseTarget({ command: "no-such-command", env: { PATH: `${closed}:/usr/bin` } });
  const failure = await failureOf(connect(target, quick));
  expect(failure.message).toBe('"no-such-command" was not found.');
  expect(classifyFailure(failure).code).toBe("COMMAND_NOT_FOUND");
});

test("our own settings are not handed to the child", async () => {
  process.env.FETTLE_SECRET_KEY = "canary";
  try {
    await against("twice", async (connection) => {
      const { pid } = connection.link.dialog.wire as unknown as { pid: number };
      const { readFileSync } = await import("node:fs");
      expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toContain("canary");
    });
  } finally {
    delete process.env.FETTLE_SECRET_KEY;
  }
});
