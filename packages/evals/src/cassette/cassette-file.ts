/** @module A cassette as a file: one JSON object a line, keys sorted, sealed at the end. Safe to commit and to compare; a changed one is noticed. Pure. */

import { createHash } from "node:crypto";
import { canonicalJson } from "@fettle/contract/formats";
import { isObject, type JsonObject } from "@fettle/mcp";
import { digestOf } from "../digest.ts";
import type { AssistantPart, FinishReason, Usage } from "../models/messages.ts";
import { ModelError, type ModelParameters } from "../models/model.ts";
import type { RequestKeys } from "./cassette-key.ts";
import type { RecordedCall, RecordedServer, ServerRecording } from "./taped-servers.ts";

export interface CassetteHeader {
  suiteId: string;
  caseKey: string;
  scenarioContentHash: string;
  model: string;
  provider: string;
  parameters: ModelParameters & { toolChoice: string };
  systemHash: string;
  /** By the name that the model was offered; `combined` is the digest of all. */
  toolsHash: { combined: string; tools: Record<string, string> };
  recordedAt: number;
  fettleVersion: string;
  masks: string[];
}

export interface RecordedTurn {
  /** From 1. */
  iteration: number;
  /** Model calls of the iteration, from 1. */
  seq: number;
  promptIndex: number;
  stepIndex: number;
  key: RequestKeys;
  request: { messagesHash: string; lastUser?: string };
  response: { content: AssistantPart[]; finishReason: FinishReason; usage: Usage; responseId?: string };
  latencyMs: number;
  ttfcMs?: number;
}

export interface Cassette extends ServerRecording {
  header: CassetteHeader;
  turns: RecordedTurn[];
}

const version = 1;
const maxBytes = 5 * 1024 * 1024;

/** Ids are opaque and hold nothing that a path could be misled by. */
export function cassettePath(suiteId: string, caseKey: string, variant: JsonObject): string {
  for (const id of [suiteId, caseKey]) {
    if (!/^[A-Za-z0-9_-]{1,128}$/.test(id)) throw invalid(`"${id}" is no id that a file can be named after`);
  }
  return `.fettle/cassettes/${suiteId}/${caseKey}.${digestOf(variant).slice(0, 8)}.jsonl`;
}

const inOrder = <T extends { iteration: number; seq: number }>(recorded: readonly T[]) =>
  recorded.toSorted((a, b) => a.iteration - b.iteration || a.seq - b.seq);

/** The same turns give the same bytes, in whatever order they were recorded. */
export function writeCassette({ header, turns, servers, calls }: Cassette): string {
  const lines = [
    canonicalJson({ kind: "header", version, ...header }),
    ...servers.map((server) => canonicalJson({ kind: "server", ...server })),
    ...inOrder(turns).map((turn) => canonicalJson({ kind: "turn", ...turn })),
    ...inOrder(calls).map((call) => canonicalJson({ kind: "tool", ...call })),
  ];
  const sealed = [...lines, canonicalJson({ kind: "footer", turns: turns.length, sha256: sealOf(lines) })];
  const text = `${sealed.join("\n")}\n`;
  if (Buffer.byteLength(text, "utf8") > maxBytes) {
    throw invalid(
      `The recording is larger than ${maxBytes} bytes`,
      "Record fewer repetitions, or split the case.",
    );
  }
  return text;
}

/** Throws CASSETTE_INVALID for anything that is not exactly what was written. */
export function readCassette(text: string, path?: string): Cassette {
  try {
    return readSealed(text);
  } catch (error) {
    if (path === undefined || !(error instanceof ModelError)) throw error;
    const { message, hint } = error;
    throw new ModelError(error.code, message.replace(/^The cassette/, `$& ${path}`), {
      ...(hint && { hint }),
    });
  }
}

function readSealed(text: string): Cassette {
  if (Buffer.byteLength(text, "utf8") > maxBytes) throw invalid(`The file is larger than ${maxBytes} bytes`);
  // A checkout may have changed the line ends; nothing else may change.
  const lines = text.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
  const objects = lines.map((line, index): JsonObject => {
    try {
      const value: unknown = JSON.parse(line);
      if (isObject(value)) return value;
    } catch {
      // Told below, with the line's number.
    }
    throw invalid(`Line ${index + 1} is no JSON object`);
  });
  const [first, last] = [objects[0], objects.at(-1)];
  if (first?.kind !== "header") throw invalid("The first line is no header");
  if (first.version !== version)
    throw invalid(`Its version is ${String(first.version)}; this program reads ${version}`);
  if (last?.kind !== "footer") throw invalid("The last line is no footer, so the file was cut");
  if (last.sha256 !== sealOf(lines.slice(0, -1))) throw invalid("It was changed after it was recorded");
  const {
    server = [],
    turn = [],
    tool = [],
    ...strange
  } = Object.groupBy(objects.slice(1, -1), ({ kind }) => String(kind));
  if (Object.keys(strange).length > 0 || turn.length !== last.turns)
    throw invalid("It holds lines that are no turns");
  const { version: _version, ...header } = first;
  return {
    header: factsIn<CassetteHeader>(header),
    servers: server.map((line) => factsIn<RecordedServer>(line)),
    turns: turn.map((line) => factsIn<RecordedTurn>(line)),
    calls: tool.map((line) => factsIn<RecordedCall>(line)),
  };
}

/** The seal says that these are the lines that were written, and what is written has this shape. */
const factsIn = <Facts>({ kind: _kind, ...facts }: JsonObject) => facts as Facts;

function sealOf(lines: readonly string[]): string {
  return createHash("sha256")
    .update(lines.map((line) => `${line}\n`).join(""))
    .digest("hex");
}

function invalid(problem: string, hint = "Record the cassette anew."): ModelError {
  return new ModelError("CASSETTE_INVALID", `The cassette cannot be used: ${problem}.`, { hint });
}
