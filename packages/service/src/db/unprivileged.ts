/** @module PostgreSQL refuses to run as root. When we are root, it runs as `nobody`, given just enough to reach its files. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StartError } from "../start-error.ts";

/** How a program is started so that PostgreSQL accepts its user. */
export interface Launcher {
  /** Set when the program runs as somebody else; its files must belong to them. */
  identity: { uid: number; gid: number } | undefined;
  /** Turns a command into the one to spawn. */
  wrap(command: string, args: string[]): { command: string; args: string[]; uid?: number; gid?: number };
}

const asOurselves: Launcher = { identity: undefined, wrap: (command, args) => ({ command, args }) };

/**
 * @param paths what the program must reach; they need not exist yet.
 */
export function chooseLauncher(paths: string[]): Launcher {
  if (process.getuid?.() !== 0) return asOurselves;
  const nobody = findNobody();
  const asNobody: Launcher = {
    identity: nobody,
    wrap: (command, args) => ({ command, args, ...nobody }),
  };
  const closed = paths.map(firstClosedFolder).find((folder) => folder !== undefined);
  if (closed === undefined) return asNobody;

  // A folder on the way (root's home, say) is closed to nobody. One capability to pass through folders is enough, and
  // unlike a user namespace it is also to be had inside a default container.
  const capability = passingCapability();
  const setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].find((path) => existsSync(path));
  if (!capability || !setpriv) {
    throw new StartError(
      "DATABASE_UNREACHABLE_FOLDER",
      `PostgreSQL cannot run as root, and the user it would run as cannot enter ${closed}.`,
      "Run Fettle as an ordinary user, choose a folder others may enter with --data, or set DATABASE_URL.",
    );
  }
  return {
    identity: nobody,
    wrap: (command, args) => ({
      command: setpriv,
      args: [
        `--reuid=${nobody.uid}`,
        `--regid=${nobody.gid}`,
        "--clear-groups",
        `--inh-caps=+${capability}`,
        `--ambient-caps=+${capability}`,
        command,
        ...args,
      ],
    }),
  };
}

function findNobody(): { uid: number; gid: number } {
  const line = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8"));
  // initdb looks its user up by name, so a number without an entry would not do.
  if (!line) {
    throw new StartError(
      "DATABASE_UNREACHABLE_FOLDER",
      "PostgreSQL cannot run as root, and this machine has no user `nobody` to run it as.",
      "Run Fettle as an ordinary user, or set DATABASE_URL.",
    );
  }
  return { uid: Number(line[1]), gid: Number(line[2]) };
}

/** The outermost existing folder on the way to `path`, itself included, that others may not pass through. */
function firstClosedFolder(path: string): string | undefined {
  const parent = dirname(path);
  const above = parent === path ? undefined : firstClosedFolder(parent);
  if (above !== undefined) return above;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isDirectory() && (stats.mode & 0o001) === 0 ? path : undefined;
}

function passingCapability(): "dac_read_search" | "dac_override" | undefined {
  if (process.platform !== "linux") return undefined;
  const bounding = /^CapBnd:\s*([0-9a-f]+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  const bits = BigInt(`0x${bounding ?? "0"}`);
  if (bits & (1n << 2n)) return "dac_read_search";
  return bits & (1n << 1n) ? "dac_override" : undefined;
}
