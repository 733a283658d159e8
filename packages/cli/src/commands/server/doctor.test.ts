/** @module The doctor as people run it: the real command on broken servers. Each is named, in time, and nothing stays behind. */
import { createServer } from "node:net";
import { hostileCommand, startBookshop, startHostile, startProtectedBookshop } from "@fettle/samples";
import { expect, onTestFinished, test } from "vitest";
import { patient } from "../../../../mcp/src/testing/patience.ts";
import { processMark } from "../../../../mcp/src/testing/processes.ts";
import { execFettle, spawnFettle } from "../../testing/process.ts";
import { temporaryFolder } from "../../testing/world.ts";

async function url(
  starting: Promise<{ url: string; close(): Promise<void> }>,
  path = "/mcp",
): Promise<string[]> {
  const sample = await starting;
  onTestFinished(() => sample.close());
  return ["--url", sample.url.replace("/mcp", path)];
}

function command({ command: program, args }: { command: string; args: string[] }): string[] {
  return ["--command", program, ...args.map((word) => `--args=${word}`)];
}

async function deadHost(): Promise<string[]> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return ["--url", `http://127.0.0.1:${port}/mcp`];
}

const broken: [string, () => Promise<string[]>, string, string][] = [
  ["a dead host", deadHost, "CONNECTION_REFUSED", "Start the server"],
  ["a wrong path", () => url(startBookshop(), "/elsewhere"), "NOT_FOUND", "An MCP server answers at"],
  ["401 with metadata", () => url(startProtectedBookshop()), "OAUTH_REQUIRED", "fettle oauth login"],
  [
    "401 without metadata",
    () => url(startHostile("unauthorized-without-metadata")),
    "TOKEN_REQUIRED",
    "--access-token",
  ],
  ["a TLS fault", () => url(startHostile("self-signed-certificate")), "TLS_FAULT", "openssl s_client"],
  ["HTML instead of JSON", () => url(startHostile("html-instead-of-json")), "HTML_INSTEAD_OF_JSON", "/mcp"],
  ["a server that hangs", () => url(startHostile("hang-at-connect")), "HANGS", "--timeout"],
  ["an event stream that never answers", () => url(startHostile("sse-never-answers")), "SSE_SILENT", "proxy"],
  ["a crash at start", async () => command(hostileCommand("crash-at-start")), "CRASHED_AT_START", "stderr"],
  [
    "a wrong content type",
    () => url(startHostile("wrong-content-type")),
    "WRONG_CONTENT_TYPE",
    "application/json",
  ],
  [
    "a version that never was",
    () => url(startHostile("version-mismatch")),
    "VERSION_MISMATCH",
    "server probe",
  ],
  ["a command that hangs", async () => command(hostileCommand("hang-at-initialize")), "HANGS", "--timeout"],
];

test.each(broken)("%s", async (_, start, code, words) => {
  const target = await start();
  const mark = processMark();
  const cwd = await temporaryFolder();
  const timeoutMs = await patient(1_500);
  const argv = ["server", "doctor", ...target, "--timeout", String(timeoutMs), "--format", "json"];
  const { stdout, exitCode } = await execFettle(argv, { cwd, env: mark.env });
  const endedAt = Date.now();
  const report = JSON.parse(stdout);
  expect(report.findings[0]).toMatchObject({ severity: "error", code });
  const { text, command: next = [] } = report.findings[0].next;
  expect(`${text} ${next.join(" ")}`).toContain(words);
  expect(exitCode).toBe(1);
  // From the first look to the end of the process; what starting Node costs on a busy machine is not the doctor's.
  expect(endedAt - Date.parse(report.generatedAt)).toBeLessThan(timeoutMs + (await patient(1_000)));
  expect(mark.left()).toEqual([]);
});

test("a healthy server that leaves a process behind is ready, and nothing is left", async () => {
  const mark = processMark();
  const cwd = await temporaryFolder();
  const argv = ["server", "doctor", ...command(hostileCommand("leaves-grandchild")), "--format", "human"];
  const { stdout, exitCode } = await execFettle(argv, { cwd, env: mark.env });
  expect(stdout).toMatch(/^Status +✓ ready$/m);
  expect(exitCode).toBe(0);
  expect(mark.left()).toEqual([]);
});

test("interrupted, it ends at once and takes its server along", async () => {
  const mark = processMark();
  const cwd = await temporaryFolder();
  const deaf = 'process.on("SIGTERM", () => {}); setTimeout(() => {}, 60_000)';
  const argv = ["server", "doctor", ...command({ command: process.execPath, args: ["-e", deaf] })];
  const running = spawnFettle(argv, { cwd, env: mark.env });
  await expect.poll(() => mark.left().length).toBeGreaterThan(1);
  running.child.kill("SIGINT");
  expect(await running.exit).toEqual({ code: 130, signal: null });
  await expect.poll(() => mark.left(), { timeout: await patient(2_000) }).toEqual([]);
});
