/** @module HTTP over a Unix socket, as container engines speak it: questions with JSON, streams, and raw two-way connections. */
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { Duplex, Readable } from "node:stream";
import { must } from "@fettle/contract/formats";
import { sandboxLimits } from "@fettle/contract/sandboxes";

/** What the engine refused, or that it does not answer. */
export class EngineError extends Error {
  /** Undefined where the engine gave no answer at all. */
  readonly status: number | undefined;
  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options);
    this.name = "EngineError";
    this.status = status;
  }
}

export interface Question {
  method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  json?: unknown;
  /** A tar, usually. */
  body?: Readable;
  signal?: AbortSignal | undefined;
  /** For an answer to begin; undefined waits as long as it takes. */
  timeoutMs?: number | undefined;
}

/** The answer's beginning; whoever asked reads the rest. */
export async function askForStream(socketPath: string, question: Question): Promise<IncomingMessage> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = open(socketPath, question, {});
    asked.once("response", resolve);
    asked.once("error", (error) => reject(unanswered(error)));
    send(asked, question);
  });
  if (must(answer.statusCode, "the status of an answer") < 400) return answer;
  throw new EngineError(reasonOf(await readAll(answer)), answer.statusCode);
}

/** The whole answer as JSON; undefined where there is none. */
export async function ask(socketPath: string, question: Question): Promise<unknown> {
  const text = await readAll(await askForStream(socketPath, question));
  return text === "" ? undefined : parseJson(text);
}

/** A raw connection in both directions. Some engines answer 101, others 200 and go over to raw bytes all the same. */
export async function connect(socketPath: string, question: Question): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const asked = open(socketPath, question, { connection: "Upgrade", upgrade: "tcp" });
    asked.once("upgrade", (_answer, socket, head) => {
      // The time limit was for the answer; a connection may be silent for hours.
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asked.once("response", (answer) => {
      readAll(answer).then(
        (text) => reject(new EngineError(reasonOf(text), answer.statusCode)),
        (error) => reject(unanswered(error)),
      );
    });
    asked.once("error", (error) => reject(unanswered(error)));
    send(asked, question);
  });
}

function open(socketPath: string, question: Question, headers: Record<string, string>): ClientRequest {
  const { method, path, query = {}, json, body, signal, timeoutMs } = question;
  const given = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) given.set(key, String(value));
  const search = given.size > 0 ? `?${given}` : "";
  const asked = request({
    socketPath,
    method,
    path: `${path}${search}`,
    agent: false,
    ...(signal && { signal }),
    headers: {
      host: "engine",
      ...headers,
      ...(json !== undefined && { "content-type": "application/json" }),
      ...(body && { "content-type": "application/x-tar" }),
    },
  });
  if (timeoutMs !== undefined) {
    const late = Object.assign(new Error(`no answer in ${timeoutMs} ms`), { code: "ETIMEDOUT" });
    const timer = setTimeout(() => asked.destroy(late), timeoutMs);
    for (const event of ["response", "upgrade", "close"]) asked.once(event, () => clearTimeout(timer));
  }
  return asked;
}

function send(asked: ClientRequest, { json, body }: Question): void {
  if (body) {
    body.once("error", (error) => asked.destroy(error));
    body.pipe(asked);
    return;
  }
  if (json === undefined) return void asked.end();
  const text = JSON.stringify(json);
  asked.setHeader("content-length", Buffer.byteLength(text));
  asked.end(text);
}

async function readAll(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > sandboxLimits.engineAnswerBytes) {
      answer.destroy();
      throw new EngineError(`The engine's answer has more than ${sandboxLimits.engineAnswerBytes} bytes.`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Progress comes as one object a line.
    return text;
  }
}

function reasonOf(text: string): string {
  const value = parseJson(text);
  const said = typeof value === "object" && value !== null && "message" in value ? value.message : value;
  return String(said).trim().slice(0, sandboxLimits.errorLength) || "The engine gave no reason.";
}

/** The reason names the socket, which is for the operator's log alone: whoever asked learns only its code. */
function unanswered(error: unknown): Error {
  if (error instanceof Error && (error.name === "AbortError" || error instanceof EngineError)) return error;
  const code = error instanceof Error && "code" in error ? ` (${error.code})` : "";
  return new EngineError(`The container engine does not answer${code}.`, undefined, { cause: error });
}
