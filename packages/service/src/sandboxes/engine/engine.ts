/** @module A container engine as the service uses it: images, and containers that are held to limits. Docker and podman answer the same questions. */

import type { Duplex, Readable } from "node:stream";
import { addressPart } from "@fettle/contract/formats";
import { sandboxLimits } from "@fettle/contract/sandboxes";
import { z } from "zod";
import type { ContainerLimits } from "../../core/config/sandbox-options.ts";
import { dockerContainer, ownHosts, podmanContainer, podmanCreatePath } from "./new-container.ts";
import { type OutputPiece, readFrames } from "./output-frames.ts";
import { ask, askForStream, connect, EngineError, type Question } from "./socket-http.ts";
import { tarOf } from "./tar-stream.ts";

export interface ContainerWanted {
  /** Why it is there, and for whom: what is left behind is found again by these. */
  labels: Record<string, string>;
  image: string;
  command: readonly [string, ...string[]];
  environment?: Record<string, string>;
  workingFolder?: string;
  /** Somebody writes to it. */
  takesInput?: boolean;
  limits: ContainerLimits;
}

export interface FoundContainer {
  id: string;
  labels: Record<string, string>;
  isRunning: boolean;
  /** In epoch milliseconds. */
  createdAt: number;
}

/** A process in a running container. */
export interface Execution {
  output: AsyncGenerator<OutputPiece>;
  input: Duplex;
  /** Once the output has ended; undefined when the engine no longer knows. */
  exitCode(): Promise<number | undefined>;
}

export interface Engine {
  socketPath: string;
  /** As it calls itself, with its version. */
  name: string;
  architecture: string;
  /** What this deployment calls itself there. */
  deployment: string;
  images: {
    has(reference: string): Promise<boolean>;
    inspect(reference: string): Promise<ImageFound | undefined>;
    load(archive: Readable, signal?: AbortSignal): Promise<void>;
    pull(name: string, digest: string, signal?: AbortSignal): Promise<void>;
    tag(reference: string, name: string, tag: string): Promise<void>;
    /** Keeps what a container has become. */
    commit(container: string, name: string, tag: string, signal?: AbortSignal): Promise<string>;
    /** One that a container still uses stays. */
    remove(reference: string): Promise<void>;
    /** Of what this deployment has built, or of all that is called so. */
    listTags(of?: { name: string }): Promise<string[]>;
  };
  containers: {
    create(wanted: ContainerWanted): Promise<string>;
    start(id: string): Promise<void>;
    /** Killed when it has not ended in time. */
    stop(id: string, seconds?: number): Promise<void>;
    /** One that has ended already is no fault. */
    kill(id: string, signal: "SIGTERM" | "SIGKILL"): Promise<void>;
    /** With all it wrote; one that is gone already is no fault. */
    remove(id: string): Promise<void>;
    find(id: string): Promise<{ isRunning: boolean; exitCode: number } | undefined>;
    list(labels: Record<string, string>): Promise<FoundContainer[]>;
    /** Bytes it has written beyond its image. */
    written(id: string): Promise<number>;
    attach(id: string): Promise<Duplex>;
    /** Resolves with its exit code when it has ended. */
    wait(id: string, signal?: AbortSignal): Promise<number>;
    execute(id: string, command: readonly string[], options?: ExecuteOptions): Promise<Execution>;
  };
}

export interface ExecuteOptions {
  takesInput?: boolean;
  workingFolder?: string;
  signal?: AbortSignal;
}

const deploymentLabel = "fettle.deployment";
const kindLabel = "fettle.kind";
const ownerLabel = "fettle.owner";

/** What a container is there for. */
type ContainerKind = "build" | "computer" | "run" | "server";

/** Both are said of every container: an image hands the labels of what it was made of down to its own containers. */
export function labelsFor(kind: ContainerKind, owner?: string): Record<string, string> {
  return { [kindLabel]: kind, ...(owner !== undefined && { [ownerLabel]: owner }) };
}

/** Whose it is, if it is there for this. */
export function ownerOf({ labels }: FoundContainer, kind: ContainerKind): string | undefined {
  return labels[kindLabel] === kind ? labels[ownerLabel] : undefined;
}

const ImageFound = z.looseObject({
  Id: z.string(),
  RepoDigests: z.array(z.string()).nullish(),
  Config: z.looseObject({ Volumes: z.record(z.string(), z.unknown()).nullish() }).nullish(),
});
type ImageFound = z.output<typeof ImageFound>;
const Created = z.looseObject({ Id: z.string() });
const Listed = z.array(
  z.looseObject({
    Id: z.string(),
    State: z.string(),
    Created: z.number(),
    Labels: z.record(z.string(), z.string()).nullish(),
  }),
);
const ListedImages = z.array(z.looseObject({ RepoTags: z.array(z.string()).nullish() }));
const Inspected = z.looseObject({
  State: z.looseObject({ Running: z.boolean(), ExitCode: z.number() }),
  SizeRw: z.number().nullish(),
});
const Version = z.looseObject({
  Version: z.string(),
  Arch: z.string(),
  Components: z.array(z.looseObject({ Name: z.string() })).nullish(),
});
const Waited = z.looseObject({ StatusCode: z.number() });
const Executed = z.looseObject({ ExitCode: z.number().nullish(), Running: z.boolean() });

/** Written by a root inside, but outside what the engine counts: an engine puts these files over the image's own. */
const putOver = ["/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/run/.containerenv"];
/** To start, stop and look; an engine under load takes seconds. */
const promptMs = 120_000;

/** Throws an `EngineError` when nobody answers at the socket. */
export async function openEngine(socketPath: string, deployment: string): Promise<Engine> {
  const put = (question: Question) => ask(socketPath, { timeoutMs: promptMs, ...question });
  const version = Version.parse(
    await put({ method: "GET", path: "/version", timeoutMs: sandboxLimits.pingMs }),
  );
  const isPodman = version.Components?.some(({ Name }) => /podman/i.test(Name)) ?? false;
  const container = (id: string, rest = "") => `/containers/${addressPart(id)}${rest}`;
  const image = (reference: string, rest = "") =>
    `/images/${reference.split("/").map(addressPart).join("/")}${rest}`;
  const filters = (labels: Record<string, string>) =>
    JSON.stringify({ label: Object.entries(labels).map(([key, value]) => `${key}=${value}`) });

  const inspectImage = async (reference: string) => {
    const found = await unlessMissing(put({ method: "GET", path: image(reference, "/json") }));
    return found === undefined ? undefined : ImageFound.parse(found);
  };
  const inspect = async (id: string, size: boolean) => {
    const found = await unlessMissing(put({ method: "GET", path: container(id, "/json"), query: { size } }));
    return found === undefined ? undefined : Inspected.parse(found);
  };

  return {
    socketPath,
    name: `${isPodman ? "podman" : "Docker"} ${version.Version}`,
    architecture: version.Arch,
    deployment,
    images: {
      has: async (reference) => (await inspectImage(reference)) !== undefined,
      inspect: inspectImage,
      load: async (archive, signal) => {
        const said = await ask(socketPath, {
          method: "POST",
          path: "/images/load",
          query: { quiet: true },
          body: archive,
          signal,
        });
        requireNoError(said);
      },
      pull: async (name, digest, signal) => {
        const query = { fromImage: name, tag: digest };
        requireNoError(await ask(socketPath, { method: "POST", path: "/images/create", query, signal }));
      },
      tag: async (reference, name, tag) => {
        await put({ method: "POST", path: image(reference, "/tag"), query: { repo: name, tag } });
      },
      commit: async (id, name, tag, signal) => {
        const query = { container: id, repo: name, tag, pause: true };
        const json = { Labels: { [deploymentLabel]: deployment } };
        return Created.parse(await ask(socketPath, { method: "POST", path: "/commit", query, json, signal }))
          .Id;
      },
      remove: async (reference) => {
        try {
          await unlessMissing(put({ method: "DELETE", path: image(reference) }));
        } catch (error) {
          if (!(error instanceof EngineError && error.status === 409)) throw error;
        }
      },
      listTags: async (of) => {
        const built = filters({ [deploymentLabel]: deployment });
        const query = { filters: of ? JSON.stringify({ reference: [`${of.name}:*`] }) : built };
        const found = ListedImages.parse(await put({ method: "GET", path: "/images/json", query }));
        const tags = found.flatMap(({ RepoTags }) => RepoTags ?? []);
        // An image that is called so may be called otherwise, too.
        return of ? tags.filter((tag) => tag.startsWith(`${of.name}:`)) : tags;
      },
    },
    containers: {
      create: async (wanted) => {
        const labels = { ...wanted.labels, [deploymentLabel]: deployment };
        if (!isPodman) {
          const json = dockerContainer({ ...wanted, labels });
          return Created.parse(await put({ method: "POST", path: "/containers/create", json })).Id;
        }
        const json = podmanContainer({ ...wanted, labels });
        const { Id } = Created.parse(await put({ method: "POST", path: podmanCreatePath, json }));
        try {
          const body = tarOf([ownHosts]);
          await put({ method: "PUT", path: container(Id, "/archive"), query: { path: "/" }, body });
        } catch (error) {
          await put({ method: "DELETE", path: container(Id), query: { force: true, v: true } });
          throw error;
        }
        return Id;
      },
      start: async (id) => {
        await put({ method: "POST", path: container(id, "/start") });
      },
      stop: async (id, seconds = sandboxLimits.stopSeconds) => {
        const query = { t: seconds };
        await unlessMissing(put({ method: "POST", path: container(id, "/stop"), query }));
      },
      kill: async (id, signal) => {
        try {
          await unlessMissing(put({ method: "POST", path: container(id, "/kill"), query: { signal } }));
        } catch (error) {
          if (!(error instanceof EngineError && error.status === 409)) throw error;
        }
      },
      remove: async (id) => {
        await unlessMissing(put({ method: "DELETE", path: container(id), query: { force: true, v: true } }));
      },
      find: async (id) => {
        const found = await inspect(id, false);
        return found && { isRunning: found.State.Running, exitCode: found.State.ExitCode };
      },
      list: async (labels) => {
        const query = { all: true, filters: filters({ ...labels, [deploymentLabel]: deployment }) };
        const found = Listed.parse(await put({ method: "GET", path: "/containers/json", query }));
        return found.map(({ Id, State, Labels, Created: seconds }) => ({
          id: Id,
          labels: Labels ?? {},
          isRunning: State === "running",
          createdAt: seconds * 1_000,
        }));
      },
      written: async (id) => {
        const [found, ...others] = await Promise.all([
          inspect(id, true),
          ...putOver.map((path) => sizeOf(socketPath, container(id, "/archive"), path)),
        ]);
        return others.reduce((sum, size) => sum + size, found?.SizeRw ?? 0);
      },
      // No body: podman would hand it to the process as its first input.
      attach: (id) =>
        connect(socketPath, {
          method: "POST",
          path: container(id, "/attach"),
          query: { stream: true, stdin: true, stdout: true, stderr: true },
          timeoutMs: promptMs,
        }),
      wait: async (id, signal) => {
        const path = container(id, "/wait");
        return Waited.parse(await ask(socketPath, { method: "POST", path, signal })).StatusCode;
      },
      execute: async (id, command, { takesInput = false, workingFolder, signal } = {}) => {
        const json = {
          AttachStdin: takesInput,
          AttachStdout: true,
          AttachStderr: true,
          Cmd: command,
          ...(workingFolder !== undefined && { WorkingDir: workingFolder }),
        };
        const { Id } = Created.parse(
          await put({ method: "POST", path: container(id, "/exec"), json, signal }),
        );
        const stream = await connect(socketPath, {
          method: "POST",
          path: `/exec/${Id}/start`,
          json: { Detach: false, Tty: false },
          signal,
          timeoutMs: promptMs,
        });
        signal?.addEventListener("abort", () => stream.destroy(), { once: true });
        return {
          input: stream,
          output: readFrames(stream),
          exitCode: async () => {
            const found = await unlessMissing(put({ method: "GET", path: `/exec/${Id}/json` }));
            return found === undefined ? undefined : (Executed.parse(found).ExitCode ?? undefined);
          },
        };
      },
    },
  };
}

async function sizeOf(socketPath: string, path: string, file: string): Promise<number> {
  const answer = await unlessMissing(
    askForStream(socketPath, { method: "HEAD", path, query: { path: file }, timeoutMs: promptMs }),
  );
  answer?.resume();
  const header = answer?.headers["x-docker-container-path-stat"];
  if (typeof header !== "string") return 0;
  const stat = z
    .looseObject({ size: z.number() })
    .safeParse(JSON.parse(Buffer.from(header, "base64").toString("utf8")));
  return stat.success ? stat.data.size : 0;
}

async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    // 304: it is in that state already.
    if (error instanceof EngineError && (error.status === 404 || error.status === 304)) return undefined;
    throw error;
  }
}

/** Loading and pulling tell of their failure in an answer that began well. */
function requireNoError(said: unknown): void {
  const lines = typeof said === "string" ? said.split("\n") : [JSON.stringify(said ?? {})];
  for (const line of lines) {
    if (!line.includes('"error"')) continue;
    const parsed = z.looseObject({ error: z.string() }).safeParse(JSON.parse(line));
    if (parsed.success) throw new EngineError(parsed.data.error.slice(0, sandboxLimits.errorLength));
  }
}
