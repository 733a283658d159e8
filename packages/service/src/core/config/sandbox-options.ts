/** @module What an operator may set about sandboxes: where containers are run, of what, and what each may use. */
import { resolve } from "node:path";
import { sandboxLimits } from "@fettle/contract/sandboxes";
import { option } from "./option.ts";
import { integer, oneOf } from "./option-values.ts";

/** What a container may use of the machine. */
export interface ContainerLimits {
  memoryBytes: number;
  processors: number;
  processes: number;
  diskBytes: number;
  network: boolean;
}

const { memoryMiB, processors, processes, diskMiB, buildSeconds, idleMinutes } = sandboxLimits.perContainer;

export const sandboxOptions = {
  sandboxEngine: option<string | undefined>({
    env: "FETTLE_SANDBOX_ENGINE",
    help: "Unix socket of the container engine (Docker or podman) that builds and runs sandbox images, such as unix:///run/podman/podman.sock; `off` uses none.",
    defaultText: "DOCKER_HOST or CONTAINER_HOST, then the usual sockets of podman and Docker",
    default: undefined,
    parse: socket,
  }),
  sandboxLayout: option<string | undefined>({
    env: "FETTLE_SANDBOX_LAYOUT",
    help: "Folder in OCI layout that base images are taken from.",
    defaultText: "none",
    default: undefined,
    parse: (text) => resolve(text),
  }),
  sandboxRegistry: option<string | undefined>({
    env: "FETTLE_SANDBOX_REGISTRY",
    help: "Registry that the engine pulls base images from, such as registry.example.com/library or docker.io/library.",
    defaultText: "none: nothing is pulled",
    default: undefined,
    parse: registry,
  }),
  sandboxNetwork: option<"off" | "on">({
    env: "FETTLE_SANDBOX_NETWORK",
    help: "`on` lets builds, computers and servers in sandboxes reach the engine's network, and with it the internet.",
    default: "off",
    parse: oneOf("off", "on"),
  }),
  sandboxMemory: option<number>({
    env: "FETTLE_SANDBOX_MEMORY",
    help: "Memory of one sandbox, in MiB.",
    default: memoryMiB,
    parse: integer(16, 1_048_576),
  }),
  sandboxProcessors: option<number>({
    env: "FETTLE_SANDBOX_PROCESSORS",
    help: "Processors that one sandbox may keep busy; 0.5 is half of one.",
    default: processors,
    parse: (text) => {
      const value = Number(text);
      if (!/^\d+(\.\d+)?$/.test(text) || value < 0.05 || value > 256)
        throw new Error("be a number from 0.05 to 256");
      return value;
    },
  }),
  sandboxProcesses: option<number>({
    env: "FETTLE_SANDBOX_PROCESSES",
    help: "Processes and threads that one sandbox may have.",
    default: processes,
    parse: integer(8, 32_768),
  }),
  sandboxDisk: option<number>({
    env: "FETTLE_SANDBOX_DISK",
    help: "What one sandbox may write beyond its image, in MiB.",
    default: diskMiB,
    parse: integer(1, 1_048_576),
  }),
  sandboxBuildSeconds: option<number>({
    env: "FETTLE_SANDBOX_BUILD_SECONDS",
    help: "How long the steps of one build may take, in seconds.",
    default: buildSeconds,
    parse: integer(1, sandboxLimits.buildMs / 1_000),
  }),
  sandboxIdleMinutes: option<number>({
    env: "FETTLE_SANDBOX_IDLE_MINUTES",
    help: "How long a computer or a server in a sandbox runs with nobody using it. A computer keeps its files.",
    default: idleMinutes,
    parse: integer(1, 10_080),
  }),
};

function socket(text: string): string {
  if (text === "off") return text;
  const path = text.startsWith("unix://") ? text.slice("unix://".length) : text;
  if (!path.startsWith("/"))
    throw new Error("be a Unix socket such as unix:///run/podman/podman.sock, or off");
  return path;
}

function registry(text: string): string {
  const name = text.replace(/\/+$/, "");
  if (!/^[a-z0-9.-]+(:\d+)?(\/[a-z0-9._-]+)*$/.test(name)) {
    throw new Error("name a registry without https://, such as registry.example.com/library");
  }
  return name;
}
