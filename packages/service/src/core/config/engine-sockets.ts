/** @module Where a container engine may listen on this machine: as the operator says, or where Docker and podman usually do. */
import { homedir } from "node:os";
import { join } from "node:path";

/** The sockets to try, in this order. `asked` is a path, or `off`. */
export function engineSockets(asked: string | undefined, env: Record<string, string | undefined>): string[] {
  if (asked === "off") return [];
  if (asked !== undefined) return [asked];
  const named = socketOf(env.DOCKER_HOST) ?? socketOf(env.CONTAINER_HOST);
  if (named !== undefined) return [named];
  const runtime = env.XDG_RUNTIME_DIR;
  return [
    ...(runtime ? [join(runtime, "podman", "podman.sock")] : []),
    "/run/podman/podman.sock",
    "/var/run/docker.sock",
    join(homedir(), ".docker", "run", "docker.sock"),
  ];
}

/** @example socketOf("unix:///run/podman/podman.sock") // "/run/podman/podman.sock" */
function socketOf(address: string | undefined): string | undefined {
  return address?.startsWith("unix://") ? address.slice("unix://".length) : undefined;
}
