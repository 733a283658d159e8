/**
 * @module What a new container is given, in the words of each engine. Docker makes a hosts file of its own. Podman copies the machine's,
 * and only its own API can turn that off, together with the machine's proxy and name servers.
 */
import type { ContainerWanted } from "./engine.ts";

/** What installing packages takes. None of them reaches beyond the container. */
const capabilities = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "SETGID", "SETUID", "KILL"];

const ulimits = ({ diskBytes }: ContainerWanted["limits"]) => [
  { name: "nofile", soft: 1_024, hard: 4_096 },
  { name: "nproc", soft: 4_096, hard: 4_096 },
  { name: "core", soft: 0, hard: 0 },
  { name: "fsize", soft: diskBytes, hard: diskBytes },
];

export function dockerContainer(wanted: ContainerWanted): unknown {
  const { labels, image, command, environment = {}, workingFolder, takesInput = false, limits } = wanted;
  const [entrypoint, ...rest] = command;
  return {
    Image: image,
    Entrypoint: [entrypoint],
    Cmd: rest,
    Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    Labels: labels,
    ...(workingFolder !== undefined && { WorkingDir: workingFolder }),
    OpenStdin: takesInput,
    // Its input ends with the connection that feeds it: podman does so in any case.
    StdinOnce: takesInput,
    AttachStdin: takesInput,
    AttachStdout: true,
    AttachStderr: true,
    HostConfig: {
      NetworkMode: limits.network ? "bridge" : "none",
      Memory: limits.memoryBytes,
      // The same: no swap beside it.
      MemorySwap: limits.memoryBytes,
      NanoCpus: Math.round(limits.processors * 1e9),
      PidsLimit: limits.processes,
      CapDrop: ["ALL"],
      CapAdd: capabilities,
      SecurityOpt: ["no-new-privileges"],
      Ulimits: ulimits(limits).map(({ name, soft, hard }) => ({ Name: name, Soft: soft, Hard: hard })),
      // Whoever reads the output keeps it; a log of the engine's would fill the disk outside of what is counted.
      LogConfig: { Type: "none" },
    },
  };
}

/** Every podman from 4.0 on takes this version. */
export const podmanCreatePath = "/v4.0.0/libpod/containers/create";

const cpuPeriodMicroseconds = 100_000;

export function podmanContainer(wanted: ContainerWanted): unknown {
  const { labels, image, command, environment = {}, workingFolder, takesInput = false, limits } = wanted;
  const [entrypoint, ...rest] = command;
  return {
    image,
    entrypoint: [entrypoint],
    command: rest,
    env: environment,
    labels,
    ...(workingFolder !== undefined && { work_dir: workingFolder }),
    stdin: takesInput,
    netns: { nsmode: limits.network ? "bridge" : "none" },
    // Nothing of the machine: its hosts file, its proxy, and, where no name can be asked for, its name servers.
    use_image_hosts: true,
    use_image_resolve_conf: !limits.network,
    httpproxy: false,
    resource_limits: {
      // The same twice: no swap beside the memory.
      memory: { limit: limits.memoryBytes, swap: limits.memoryBytes },
      cpu: {
        quota: Math.round(limits.processors * cpuPeriodMicroseconds),
        period: cpuPeriodMicroseconds,
      },
      pids: { limit: limits.processes },
    },
    cap_drop: ["ALL"],
    cap_add: capabilities,
    no_new_privileges: true,
    // Said always: podman's own defaults cannot be set where the service has fewer rights than root of the machine.
    r_limits: ulimits(limits).map(({ name, soft, hard }) => ({ type: name, soft, hard })),
    log_configuration: { driver: "none" },
  };
}

const hosts = Buffer.from(
  ["127.0.0.1\tlocalhost", "::1\tlocalhost ip6-localhost ip6-loopback", ""].join("\n"),
);

/** Written into a container of podman's before it starts. */
export const ownHosts = { path: "etc/hosts", size: hosts.length, content: hosts };
