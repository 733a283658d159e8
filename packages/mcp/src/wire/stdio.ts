/** @module MCP over the pipes of a process, spoken to line by line, and never left behind. */
import { McpError } from "../failure.ts";
import type { WireLimits } from "../limits.ts";
import {
  excerptOf,
  type JsonObject,
  type MalformedInbound,
  type RequestId,
  readMessages,
} from "../messages/jsonrpc.ts";
import { readLines } from "../messages/line-reader.ts";
import type { Recorder } from "../recording/recording.ts";
import type { ProcessEnd, StdioTarget } from "../target.ts";
import { answerOnStderr } from "./answer-on-stderr.ts";
import { spawnChild } from "./child-process.ts";
import { captureStderr } from "./stderr-capture.ts";
import type { Wire, WireListener } from "./wire.ts";
import { wireProblem } from "./wire-problem.ts";

export interface StdioWire extends Wire {
  readonly kind: "stdio";
  /** Zero for one that is no child of ours. */
  readonly pid: number;
  stderr(): string;
  /** From now on an exit is a crash in use, not a failure to start. */
  markConnected(): void;
  /** Writes bytes as they are, for judging how a server takes what no client would send. */
  write(bytes: string | Uint8Array): Promise<void>;
  /** A message that waits only for the end of its line; undefined where there is none. */
  unfinished(): string | undefined;
}

export interface StdioOptions {
  limits: WireLimits;
  recorder: Recorder;
}

/** How long a child may take to leave when its input ends. Many do not notice, and are told: waiting longer would be for nothing. */
const noticeMs = 100;
/** How long it may take once it was told. */
const defaultGraceMs = 500;

/** Starts the target; resolves once the process runs, rejects with SPAWN_FAILED when it cannot. */
export async function openStdio(
  target: StdioTarget,
  listener: WireListener,
  options: StdioOptions,
): Promise<StdioWire> {
  const { limits, recorder } = options;
  const child = await (target.start ?? spawnChild)(target);
  recorder.note("spawned", { pid: child.pid });

  const errors = captureStderr(limits.stderrBytes);
  let failure: McpError | undefined;
  let closing = false;
  let connected = false;

  const exited = child.ended.then((end) => {
    recorder.note("exited", { ...end });
    failure ??= closing
      ? new McpError("CONNECTION_CLOSED", "The connection was closed.")
      : exitFailure(target, { ...end, stderr: errors.text(), afterConnect: connected });
    listener.closed(failure);
  });

  let overflowed: RequestId | undefined;
  function tellTooLong(excerpt: string, id: RequestId | undefined): void {
    const reason = `a line of more than ${limits.messageBytes} bytes`;
    recorder.message("receive", excerptOf(excerpt), excerpt, { malformed: reason });
    const known = id !== undefined && { id };
    listener.inbound({ kind: "malformed", reason, limit: true, excerpt: excerptOf(excerpt), ...known }, {});
  }

  child.stderr.on("data", (chunk: Buffer) => recorder.stderr(errors.push(chunk)));
  const lines = readLines(limits.messageBytes, {
    line(text, { isUtf8 }) {
      const all = readMessages(text, limits, { isUtf8 });
      const alone = all.length === 1 && !text.startsWith("[") && { text };
      for (const heard of all) {
        // Too deep or too wide to be read, but whose answer it is may still be seen: that call need not wait.
        const inbound = heard.kind === "malformed" && heard.limit ? withIdOf(text, heard) : heard;
        const isMessage = inbound.kind !== "malformed";
        recorder.message("receive", isMessage ? inbound.message : excerptOf(text, 2_000), text, {
          ...(!isMessage && { malformed: inbound.reason }),
        });
        listener.inbound(inbound, { bytes: text.length, ...alone });
      }
    },
    // Told at once where the caller is known, so that nobody waits for a line that may never end.
    overflow(head) {
      overflowed = idAtStart(head);
      tellTooLong(head, overflowed);
    },
    overflowEnd({ tail }) {
      const id = overflowed === undefined ? idAtEnd(tail) : undefined;
      if (id !== undefined) tellTooLong(tail, id);
    },
    flood() {
      failure = new McpError("TOO_LARGE", "The server writes a line without end.", {
        hint: "A message is one line of JSON; look for a loop that prints to stdout.",
        details: { limit: limits.messageBytes },
      });
      child.stdout.destroy();
      child.kill("SIGKILL");
    },
  });
  child.stdout.on("data", lines.push);
  // Writing to a process that is gone is told by its exit, which knows more.
  child.stdin.on("error", () => {});

  function write(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      if (failure) return reject(failure);
      child.stdin.write(bytes, (error) => {
        if (!error) return resolve();
        exited.then(() => reject(failure));
      });
    });
  }

  return {
    kind: "stdio",
    answersInline: false,
    pid: child.pid ?? 0,
    stderr: errors.text,
    markConnected() {
      connected = true;
    },
    write,
    unfinished: lines.unfinished,
    hindrance(request) {
      const line = lines.unfinished();
      if (line !== undefined) return { ...wireProblem("LINE_NOT_ENDED"), excerpt: excerptOf(line) };
      return answerOnStderr(errors.text(), [request]);
    },
    send(message: JsonObject | JsonObject[]) {
      const text = JSON.stringify(message);
      recorder.message("send", message, text);
      return write(`${text}\n`);
    },
    async close({ graceMs = defaultGraceMs } = {}) {
      closing = true;
      child.stdin.end();
      if (await settles(exited, Math.min(noticeMs, graceMs))) return;
      child.kill("SIGTERM");
      if (await settles(exited, graceMs)) return;
      child.kill("SIGKILL");
      await exited;
    },
  };
}

function exitFailure(
  target: StdioTarget,
  end: ProcessEnd & { stderr: string; afterConnect: boolean },
): McpError {
  const how = end.signal ? `was ended by ${end.signal}` : `exited with code ${end.exitCode}`;
  return new McpError("PROCESS_EXITED", `"${target.command}" ${how}.`, {
    hint:
      end.stderr === ""
        ? "It said nothing on stderr; run the command by hand to see why."
        : "Its stderr says more.",
    details: { ...end },
  });
}

async function settles(event: Promise<void>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs);
  });
  const inTime = await Promise.race([event.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}

function withIdOf(text: string, malformed: MalformedInbound): MalformedInbound {
  const id = malformed.id ?? idAtStart(text.slice(0, 300)) ?? idAtEnd(text.slice(-300));
  return id === undefined ? malformed : { ...malformed, id };
}

/** The id of an answer that is too long to keep: writers put it first or last. */
function idAtStart(head: string): RequestId | undefined {
  return readId(/^\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]{1,100}")/.exec(head));
}

function idAtEnd(tail: string): RequestId | undefined {
  return readId(/"id"\s*:\s*(\d+|"[^"\\]{1,100}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail));
}

function readId(found: RegExpExecArray | null): RequestId | undefined {
  return found?.[1] === undefined ? undefined : (JSON.parse(found[1]) as RequestId);
}
