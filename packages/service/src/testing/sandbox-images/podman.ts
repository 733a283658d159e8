/** @module A podman of its own for tests that need a container engine, and a small base image in OCI layout. Where there is none, such tests say so and are skipped. */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { vi } from "vitest";
import { ask } from "../../sandboxes/engine/socket-http.ts";
import { processesNaming } from "../process.ts";

/** A Docker instead, with `FETTLE_TEST_ENGINE=docker`: what holds of the one must hold of the other. */
const isDocker = process.env.FETTLE_TEST_ENGINE === "docker";
const programs = [...(isDocker ? ["docker", "dockerd"] : ["podman"]), "runc", "busybox", "tar"];
const pathOf = (program: string) =>
  [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"]
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));

/** Why there is no engine for tests on this machine; undefined where there is one. */
export const noEngine: string | undefined = (() => {
  const missing = programs.filter((program) => pathOf(program) === undefined);
  if (missing.length > 0) return `${missing.join(", ")} not installed`;
  return process.getuid?.() === 0 ? undefined : "podman is started with a root of its own, which takes root";
})();

/** For the name of a group of tests. */
export const withEngine = noEngine === undefined ? "with podman" : `with podman (SKIPPED: ${noEngine})`;

/** A name that only the machine of the engine knows, by its hosts file and its proxy. */
export const machineName = "build-db.corp.internal";

export interface TestEngine {
  socketPath: string;
  /** Runs its own command on the same storage. */
  podman(...args: string[]): string;
  stop(): Promise<void>;
}

/** A registry without TLS may be named, which the engine then trusts. */
export async function startPodman(options: { registry?: string } = {}): Promise<TestEngine> {
  // Not in the tests' own folder: podman takes no path beyond 50 characters.
  const folder = mkdtempSync("/tmp/fettle-pod-");
  const socketPath = join(folder, "engine.sock");
  const registries = join(folder, "registries.conf");
  writeFileSync(
    registries,
    options.registry ? `[[registry]]\nlocation = "${options.registry}"\ninsecure = true\n` : "",
  );
  // As on a machine whose own hosts file knows names of its network: none of them may be seen inside.
  const machineHosts = join(folder, "hosts");
  writeFileSync(machineHosts, `127.0.0.1 localhost\n10.1.2.3 ${machineName}\n`);
  const settings = join(folder, "containers.conf");
  writeFileSync(settings, `[containers]\nbase_hosts_file = "${machineHosts}"\n`);
  const places = ["--root", join(folder, "root"), "--runroot", join(folder, "run")];
  const how = ["--runtime", pathOf("runc")!, "--cgroup-manager", "cgroupfs", "--events-backend", "file"];
  const [program, common, serving] = isDocker
    ? ([
        "docker",
        ["--host", `unix://${socketPath}`],
        dockerDaemon(folder, socketPath, options.registry),
      ] as const)
    : ([
        "podman",
        [...places, ...how],
        ["podman", ...places, ...how, "system", "service", "--time", "0", `unix://${socketPath}`],
      ] as const);
  const env = {
    ...process.env,
    CONTAINERS_CONF: settings,
    CONTAINERS_REGISTRIES_CONF: registries,
    HTTP_PROXY: `http://${machineName}:3128`,
    TMPDIR: folder,
  };
  const [server, ...flags] = serving;
  const child = spawn(pathOf(server!)!, flags, {
    stdio: "ignore",
    // Its helpers leave notes about killed processes where they stand.
    cwd: folder,
    env,
  });
  const exited = once(child, "exit");
  const podman = (...args: string[]) =>
    execFileSync(pathOf(program)!, [...common, ...args], {
      encoding: "utf8",
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
  const failed = exited.then(([code]) => {
    throw new Error(`${program} ended with ${code}`);
  });
  failed.catch(() => undefined);
  const isUp = vi.waitFor(() => ask(socketPath, { method: "GET", path: "/_ping" }), { timeout: 60_000 });
  await Promise.race([isUp, failed]);
  return {
    socketPath,
    podman,
    stop: async () => {
      const left = podman("ps", "--all", "--quiet").split("\n").filter(Boolean);
      if (left.length > 0) podman("rm", "--force", ...(isDocker ? [] : ["--time", "0"]), ...left);
      child.kill("SIGTERM");
      await exited;
      // What watched over commands in containers stays for minutes, and would make the folder anew.
      for (const { pid } of processesNaming(folder)) {
        try {
          process.kill(pid, "SIGKILL");
        } catch {
          // It has just ended by itself.
        }
      }
      // Overlay mounts of the storage itself would keep the folder from going.
      execFileSync("sh", ["-c", `umount -l "$1" 2>/dev/null; true`, "sh", join(folder, "root", "overlay")]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One that needs no rights over the machine's network, nor a kernel's own file system. */
const dockerDaemon = (folder: string, socketPath: string, registry?: string) => [
  "dockerd",
  "--iptables=false",
  "--bridge=none",
  "--storage-driver=vfs",
  `--data-root=${join(folder, "root")}`,
  `--exec-root=${join(folder, "run")}`,
  `--pidfile=${join(folder, "pid")}`,
  `--host=unix://${socketPath}`,
  ...(registry ? [`--insecure-registry=${registry}`] : []),
];

export interface TestLayout {
  folder: string;
  /** To be pinned, as `debian@…`. */
  digest: string;
  /** Where the bytes of a blob are. */
  blob(digest: string): string;
  layer: string;
  config: string;
}

/** A base of a few hundred small programs, all of them busybox, and what is added to it. */
export function writeLayout(folder: string, add: (root: string) => void = () => {}): TestLayout {
  const root = join(folder, "rootfs");
  for (const name of ["bin", "etc", "tmp", "root", "proc", "sys", "dev"])
    mkdirSync(join(root, name), { recursive: true });
  const busybox = pathOf("busybox")!;
  cpSync(busybox, join(root, "bin", "busybox"), { dereference: true });
  const applets = execFileSync(busybox, ["--list"], { encoding: "utf8" }).trim().split("\n");
  for (const applet of applets) if (applet !== "busybox") symlinkSync("busybox", join(root, "bin", applet));
  writeFileSync(join(root, "etc", "passwd"), "root:x:0:0:root:/root:/bin/sh\n");
  add(root);
  const tar = execFileSync("tar", ["-C", root, "--owner=0", "--group=0", "-cf", "-", "."], {
    maxBuffer: 512 * 1024 * 1024,
  });
  const blobs = join(folder, "blobs", "sha256");
  mkdirSync(blobs, { recursive: true });
  const blob = (digest: string) => join(blobs, digest.slice("sha256:".length));
  const keep = (content: string | Buffer) => {
    const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
    writeFileSync(blob(digest), content);
    return { digest, size: statSync(blob(digest)).size };
  };
  const layer = keep(tar);
  const config = keep(
    JSON.stringify({
      architecture: process.arch === "arm64" ? "arm64" : "amd64",
      os: "linux",
      config: { Env: ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"] },
      rootfs: { type: "layers", diff_ids: [layer.digest] },
    }),
  );
  const manifest = keep(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: "application/vnd.oci.image.manifest.v1+json",
      config: { mediaType: "application/vnd.oci.image.config.v1+json", ...config },
      layers: [{ mediaType: "application/vnd.oci.image.layer.v1.tar", ...layer }],
    }),
  );
  writeFileSync(join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  writeFileSync(
    join(folder, "index.json"),
    JSON.stringify({
      schemaVersion: 2,
      manifests: [{ mediaType: "application/vnd.oci.image.manifest.v1+json", ...manifest }],
    }),
  );
  rmSync(root, { recursive: true });
  return { folder, digest: manifest.digest, blob, layer: layer.digest, config: config.digest };
}
