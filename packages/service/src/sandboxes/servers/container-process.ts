/** @module A server's command in a container of its own: made of an image, spoken to through its pipes, removed when it has ended. */
import { PassThrough } from "node:stream";
import { sandboxLimits } from "@fettle/contract/sandboxes";
import { McpError, type ProcessEnd, type ServerProcess, type StdioTarget } from "@fettle/mcp";
import type { ContainerLimits } from "../../core/config/sandbox-options.ts";
import type { Engine } from "../engine/engine.ts";
import { LimitMet, requireRoom } from "../engine/exec-limits.ts";
import { readFrames } from "../engine/output-frames.ts";
import { EngineError } from "../engine/socket-http.ts";

export interface ContainerFor {
  labels: Record<string, string>;
  image: string;
  limits: ContainerLimits;
}

/**
 * Starts the command as a child of the first process: a first process is not ended by a signal that it does not know, and
 * a server that is told to leave would seem to refuse.
 */
const asChild = `
command -v "$1" >/dev/null || { echo "$1 was not found in the image: install it in initialize." >&2; exit 127; }
exec 3<&0 0</dev/null
"$@" <&3 3<&- &
child=$!
exec 3<&-
trap 'kill -TERM $child 2>/dev/null' TERM
wait $child; code=$?
while kill -0 $child 2>/dev/null; do wait $child; code=$?; done
exit $code`;

/** Rejects with SPAWN_FAILED when the engine does not start it. */
export async function startInContainer(
  engine: Engine,
  { labels, image, limits }: ContainerFor,
  target: StdioTarget,
): Promise<ServerProcess> {
  const { containers } = engine;
  const id = await containers
    .create({
      labels,
      image,
      command: ["/bin/sh", "-c", asChild, "sh", target.command, ...target.args],
      environment: target.env,
      ...(target.cwd !== undefined && { workingFolder: target.cwd }),
      takesInput: true,
      limits,
    })
    .catch((error) => {
      throw spawnFailure(target, error);
    });
  try {
    // Before it starts, so that its first byte is heard.
    const pipes = await containers.attach(id);
    await containers.start(id);
    return running(engine, id, pipes, limits);
  } catch (error) {
    await containers.remove(id);
    throw spawnFailure(target, error);
  }
}

function running(
  engine: Engine,
  id: string,
  pipes: Awaited<ReturnType<Engine["containers"]["attach"]>>,
  { diskBytes }: ContainerLimits,
): ServerProcess {
  const { containers } = engine;
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  // Its end is told by the engine, which also knows how.
  pipes.on("error", () => {});
  const kill = (signal: "SIGTERM" | "SIGKILL") => void containers.kill(id, signal).catch(() => {});

  async function relay(): Promise<void> {
    try {
      for await (const { stream, bytes } of readFrames(pipes)) {
        const to = stream === "stdout" ? stdout : stderr;
        if (!to.destroyed && !to.write(bytes))
          await new Promise((resolve) => to.once("drain", resolve).once("close", resolve));
      }
    } catch {
      // The connection broke; the process may still be there, and is of no use without it.
      kill("SIGKILL");
    }
  }

  const watching = setInterval(async () => {
    try {
      await requireRoom(engine, id, diskBytes);
    } catch (error) {
      if (!(error instanceof LimitMet)) return;
      if (!stderr.destroyed) stderr.write(`Stopped: ${error.message}\n`);
      kill("SIGKILL");
    }
  }, sandboxLimits.serverWatchMs);

  async function end(): Promise<ProcessEnd> {
    try {
      const [code] = await Promise.all([containers.wait(id), relay()]);
      return endOf(code);
    } catch {
      // An engine that is gone took the process with it, or will not say.
      return { exitCode: null, signal: null };
    } finally {
      clearInterval(watching);
      stdout.end();
      stderr.end();
      pipes.destroy();
      await containers.remove(id).catch(() => {});
    }
  }
  return { stdin: pipes, stdout, stderr, kill, ended: end() };
}

/** As a shell says it: of a signal, 128 and its number. */
function endOf(code: number): ProcessEnd {
  const signal = code === 137 ? "SIGKILL" : code === 143 ? "SIGTERM" : null;
  return { exitCode: signal ? null : code, signal };
}

function spawnFailure(target: StdioTarget, error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  return new McpError("SPAWN_FAILED", `"${target.command}" could not be started: ${error.message}`, {
    hint: "Look at the image's build, and at the container engine.",
    details: { command: target.command },
    cause: error,
  });
}
