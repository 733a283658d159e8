/** @module The launcher of a checkout on an older Node, which runs the command in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "./testing/world.ts";

const bin = join(import.meta.dirname, "..", "bin");

/** A checkout with the real launcher, and behind it the command that is given. */
async function checkout(command: string) {
  // It has nothing else.
  vi.stubEnv("FETTLE_FROM", "source");
  onTestFinished(() => void vi.unstubAllEnvs());
  const root = await temporaryFolder();
  const at = (...names: string[]) => {
    const path = join(root, ...names);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
  cpSync(bin, at("packages", "cli", "bin"), { recursive: true });
  writeFileSync(at("packages", "cli", "src", "main.ts"), `export async function main() { ${command} }`);
  symlinkSync(process.execPath, at("node_modules", ".bin", "node"));
  return { root, at };
}

/** What makes Node take itself for an old one as long as it runs the launcher. */
function oldNode(at: (name: string) => string): string {
  const file = at("old-node.mjs");
  writeFileSync(
    file,
    `if (!process.env.FETTLE_LAUNCHER_PID) Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.0.0" } });`,
  );
  return file;
}

/**
 * A checkout whose Node takes itself for an old one as long as it runs the launcher: the real launcher, the real second
 * process, and in it a command that says when it is there and when it stops.
 */
async function startOnOldNode(
  command: string,
): Promise<{ launcher: ChildProcess; said: AsyncIterator<string> }> {
  const { root, at } = await checkout(command);
  const launcher = spawn(
    process.execPath,
    ["--import", oldNode(at), join(root, "packages", "cli", "bin", "fettle.mjs")],
    {
      stdio: ["pipe", "pipe", "inherit"],
      // A group of its own, as a shell gives each command: a terminal's Ctrl-C goes to all in it.
      detached: true,
    },
  );
  onTestFinished(() => void launcher.kill("SIGKILL"));
  return { launcher, said: launcher.stdout!.setEncoding("utf8")[Symbol.asyncIterator]() };
}

function endIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // As it should be.
  }
}

const staying = `
  process.on("SIGTERM", () => { console.log("stopped in order"); process.exit(0); });
  setInterval(() => {}, 1_000);
  console.log(process.pid + " " + process.env.FETTLE_LAUNCHER_PID);`;

test.each(["SIGKILL", "SIGTERM"] as const)(
  "what a launcher started stops in order when the launcher gets %s",
  async (signal) => {
    const { launcher, said } = await startOnOldNode(staying);
    const [pid, passedOn] = String((await said.next()).value)
      .trim()
      .split(" ");
    expect(Number(pid)).not.toBe(launcher.pid);
    onTestFinished(() => endIfThere(Number(pid)));
    expect(passedOn).toBe("undefined");
    launcher.kill(signal);
    expect((await said.next()).value).toBe("stopped in order\n");
    expect((await said.next()).done).toBe(true);
  },
);

test("Ctrl-C on a terminal, which reaches launcher and command alike, asks the command once to finish", async () => {
  const { launcher, said } = await startOnOldNode(`
    const { untilInterrupted } = await import(${JSON.stringify(join(import.meta.dirname, "interrupts.ts"))});
    setInterval(() => {}, 1_000);
    const interrupted = untilInterrupted();
    console.log("running");
    await interrupted;
    // As a service takes its time to stop.
    setTimeout(() => { console.log("stopped in order"); process.exit(0); }, 500);`);
  expect((await said.next()).value).toBe("running\n");
  process.kill(-launcher.pid!, "SIGINT");
  expect((await said.next()).value).toBe("stopped in order\n");
});

test("a short command under a launcher ends by itself, and stdin is its own", async () => {
  const { launcher, said } = await startOnOldNode(
    `let text = ""; for await (const piece of process.stdin) text += piece; console.log("read " + text); process.exitCode = 3;`,
  );
  launcher.stdin!.end("all of it");
  expect((await said.next()).value).toBe("read all of it\n");
  const [code] = await once(launcher, "exit");
  expect(code).toBe(3);
});

test.each(["SIGKILL", "SIGTERM"] as const)(
  "what `npm start` started stops in order when npm gets %s",
  async (signal) => {
    const { root, at } = await checkout(staying);
    const manifest = join(import.meta.dirname, "..", "..", "..", "package.json");
    const { start } = JSON.parse(readFileSync(manifest, "utf8")).scripts;
    writeFileSync(at("package.json"), JSON.stringify({ scripts: { start } }));
    const npm = spawn("npm", ["start", "--silent"], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void npm.kill("SIGKILL"));
    const said = npm.stdout.setEncoding("utf8")[Symbol.asyncIterator]();
    const pid = Number.parseInt(String((await said.next()).value), 10);
    onTestFinished(() => endIfThere(pid));
    npm.kill(signal);
    expect((await said.next()).value).toBe("stopped in order\n");
  },
);

const npxEnds = [
  { isOld: false, signal: "SIGTERM" },
  { isOld: true, signal: "SIGTERM" },
  // Its shell is not told then. Elsewhere than on Linux `sh` hands its place to the command.
  ...(process.platform === "linux"
    ? ([
        { isOld: false, signal: "SIGKILL" },
        { isOld: true, signal: "SIGKILL" },
      ] as const)
    : []),
] as const;

test.each(npxEnds)(
  "what `npx fettle` started stops in order when npx gets $signal: old Node $isOld",
  async ({ isOld, signal }) => {
    const { root, at } = await checkout(staying);
    const command = at("node_modules", ".bin", "fettle");
    symlinkSync(at("packages", "cli", "bin", "fettle.mjs"), command);
    writeFileSync(at("package.json"), JSON.stringify({ type: "module" }));
    const npx = spawn("npx", ["fettle"], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...(isOld && { NODE_OPTIONS: `--import ${oldNode(at)}` }) },
    });
    onTestFinished(() => void npx.kill("SIGKILL"));
    const said = npx.stdout.setEncoding("utf8")[Symbol.asyncIterator]();
    const pid = Number.parseInt(String((await said.next()).value), 10);
    onTestFinished(() => endIfThere(pid));
    npx.kill(signal);
    expect((await said.next()).value).toBe("stopped in order\n");
  },
);
