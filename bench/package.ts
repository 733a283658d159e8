/** @module What people download: the npm package, and a checkout until it shows its first page. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Bench } from "./bench.ts";
import { inFolder, timed } from "./opening.ts";
import { freePort, untilOk } from "./service-process.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..");

export const packageBench: Bench = {
  name: "package",
  run: async () => {
    const { stdout } = await run("npm", [
      "pack",
      join(root, "dist", "fettle"),
      "--dry-run",
      "--json",
      "--silent",
    ]);
    const [{ size, unpackedSize }] = JSON.parse(stdout) as [{ size: number; unpackedSize: number }];
    const megabytes = (bytes: number) => bytes / 1_000_000;
    return [
      { what: "npm package, packed", value: megabytes(size), unit: "MB", goal: { atMost: 4.5 } },
      { what: "npm package, unpacked", value: megabytes(unpackedSize), unit: "MB", goal: { atMost: 14 } },
    ];
  },
};

export const cloneBench: Bench = {
  name: "clone",
  needsNetwork: true,
  run: () =>
    inFolder(async (home) => {
      const clone = join(home, "fettle");
      await run("git", ["clone", "--quiet", root, clone]);
      const port = await freePort();
      const env = {
        ...process.env,
        HOME: home,
        FETTLE_HOME: join(home, "data"),
        npm_config_cache: join(home, "npm"),
      };
      const started = spawn("npm", ["start", "--", "--port", String(port)], {
        cwd: clone,
        env,
        detached: true,
        stdio: ["ignore", "ignore", "inherit"],
      });
      try {
        const ms = await timed(() => untilOk(started, `http://127.0.0.1:${port}/`));
        return [
          {
            what: "new clone to its first page, nothing in npm's cache",
            value: ms / 1_000,
            unit: "s",
            goal: { atMost: 45 },
          },
        ];
      } finally {
        const ended = once(started, "exit");
        // npm, the shell and the service are one group.
        if (started.pid !== undefined && started.exitCode === null) {
          process.kill(-started.pid, "SIGTERM");
          await ended;
        }
      }
    }),
};
