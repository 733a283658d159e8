/** @module The inspector as a person starts, opens and stops it: real processes, and none left behind. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sampleCommand } from "@fettle/samples";
import { expect, test } from "vitest";
import { endInspectorAfterTest, execFettle, spawnFettle } from "../../testing/process.ts";
import { temporaryFolder } from "../../testing/world.ts";

test("starts in the background, opens a named server, and stops with all it started", async () => {
  const home = await temporaryFolder();
  endInspectorAfterTest(home);
  // As npx starts it, which ends what it started in the foreground.
  const env = { FETTLE_HOME: home, FETTLE_CLI_DISABLE_BROWSER_OPEN: "1", npm_lifecycle_event: "npx" };
  const fettle = async (...argv: string[]) => {
    const { stdout, stderr, exitCode } = await execFettle(argv, { cwd: home, env });
    expect(exitCode, stderr).toBe(0);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  expect(await fettle("inspector", "stop")).toEqual({ success: true, stopped: false, baseUrl: null });
  const first = await fettle("inspector", "start");
  expect(first).toEqual({
    success: true,
    started: true,
    baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
  });
  expect(await fettle("inspector", "start")).toEqual({ ...first, started: false });

  const { command, args } = sampleCommand("everything");
  const opened = await fettle("inspector", "open", "--server-name", "Sample", "--", command, ...args);
  expect(opened).toMatchObject({
    success: true,
    started: false,
    baseUrl: first.baseUrl,
    serverName: "Sample",
  });
  expect(opened.url).toMatch(
    new RegExp(`^${first.baseUrl}/p/proj_local/servers/${opened.serverId}/tools#k=`),
  );
  // Naming it again is the same server.
  const again = await fettle("inspector", "open", "--server-name", "Sample", "--", command, ...args);
  expect(again.serverId).toBe(opened.serverId);

  const { pid } = JSON.parse(readFileSync(join(home, "inspector.json"), "utf8")) as { pid: number };
  expect(await fettle("inspector", "stop")).toEqual({ success: true, stopped: true, baseUrl: first.baseUrl });
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test("a second one over the same folder is refused, and the first stays in reach", async () => {
  const home = await temporaryFolder();
  const env = { FETTLE_HOME: home };
  const first = spawnFettle(["inspector", "serve", "--port", "0", "--format", "json"], { cwd: home, env });
  const { url } = JSON.parse(await first.firstLine) as { url: string };
  const state = readFileSync(join(home, "inspector.json"), "utf8");
  const second = await execFettle(["inspector", "serve", "--port", "0"], { cwd: home, env });
  expect(second.exitCode).toBe(1);
  expect(JSON.parse(second.stderr).error).toMatchObject({
    code: "INSPECTOR_RUNNING",
    message: expect.stringContaining(url),
    hint: expect.stringMatching(/inspector open.*inspector stop/),
  });
  expect(readFileSync(join(home, "inspector.json"), "utf8")).toBe(state);

  // What a killed one left behind keeps nobody out.
  first.child.kill("SIGKILL");
  await first.exit;
  const third = spawnFettle(["inspector", "serve", "--port", "0", "--format", "json"], { cwd: home, env });
  const after = JSON.parse(await third.firstLine) as { url: string };
  const stopped = await execFettle(["inspector", "stop"], { cwd: home, env });
  expect(JSON.parse(stopped.stdout)).toEqual({ success: true, stopped: true, baseUrl: after.url });
  expect(await third.exit).toMatchObject({ code: 0 });
  expect(readdirSync(home)).toEqual(["inspector"]);
});

test("a port that was named and is taken is not replaced by another", async () => {
  const [home, other] = [await temporaryFolder(), await temporaryFolder()];
  const start = (folder: string, port: string) =>
    spawnFettle(["inspector", "serve", "--port", port, "--format", "json"], {
      cwd: folder,
      env: { FETTLE_HOME: folder },
    });
  const { url } = JSON.parse(await start(home, "0").firstLine) as { url: string };
  const { port } = new URL(url);
  const refused = start(other, port);
  expect(await refused.exit).toMatchObject({ code: 1 });
  expect(JSON.parse(refused.stderr()).error).toMatchObject({
    code: "PORT_IN_USE",
    message: expect.stringContaining(port),
    hint: expect.stringContaining("--port"),
  });
});

test("refuses a page that is no path, before anything is started", async () => {
  const home = await temporaryFolder();
  const env = { FETTLE_HOME: home };
  const { exitCode, stderr } = await execFettle(["inspector", "open", "--tab", "//evil.example"], {
    cwd: home,
    env,
  });
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr).error.code).toBe("USAGE_ERROR");
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
