/**
 * @module What is kept of a question to a saved server: what was asked, how it came out, and the messages behind it, bounded and
 * free of credentials. It is put together in whichever thread asked, and written down where the database is.
 */
import { ApiError } from "@fettle/contract/core";
import { jsonChanges } from "@fettle/contract/formats";
import { redact, redactArguments } from "@fettle/contract/secrets";
import { type HistoryKind, type HistoryOutcome, serverHistoryLimits } from "@fettle/contract/servers";
import { digestOf } from "@fettle/evals";
import { type HeldMessages, isObject, type Recorder, toRpcLogs } from "@fettle/mcp";
import { isLargeJson } from "../../http/json-pieces.ts";
import { type HistoryDraft, type KeptCall, noCall, noRecording } from "./history-draft.ts";
import { type AskName, asks } from "./live.ts";
import type { LiveCall } from "./session.ts";

interface Told {
  outcome: HistoryOutcome;
  code?: string | null;
  summary: string;
  result?: unknown;
  durationMs?: number;
}

type Asked = (call: LiveCall, input: unknown) => Promise<unknown>;
type InputOf<Name extends AskName> = Parameters<(typeof asks)[Name]>[1];
type OutputOf<Name extends AskName> = Awaited<ReturnType<(typeof asks)[Name]>>;

interface Keeping<Name extends AskName> {
  kind: HistoryKind;
  /** What is called, and what with. */
  call?(input: InputOf<Name>): { subject: string; parameters: Record<string, unknown> };
  told(output: OutputOf<Name>): Told;
}

/** Reading lists is looking around, and leaves nothing. */
const keepings: { [Name in AskName]?: Keeping<Name> } = {
  validate: {
    kind: "health",
    told: ({ initInfo }) => ({ outcome: "ok", summary: greeting(initInfo), result: initInfo }),
  },
  runDoctor: {
    kind: "doctor",
    told: ({ status, tools, resources, resourceTemplates, prompts, probe: _probe, _rpcLogs, ...report }) => ({
      outcome: ({ ready: "ok", oauth_required: "partial", partial: "partial", error: "failed" } as const)[
        status
      ],
      code: status,
      summary: report.findings[0]?.summary ?? `${Object.keys(report.checks).length} checks, nothing found`,
      // What it offers is counted: it can be read from the server. The rest is what a page shows of it again.
      result: {
        ...report,
        status,
        offers: {
          tools: tools.length,
          resources: resources.length,
          resourceTemplates: resourceTemplates.length,
          prompts: prompts.length,
        },
      },
    }),
  },
  checkCompat: {
    kind: "compat",
    told: ({ summary, hosts, toolCount, protocolVersions, catalogVersion }) => ({
      outcome:
        summary.works === hosts.length ? "ok" : summary.blocked === hosts.length ? "failed" : "partial",
      summary: `Works on ${summary.works} of ${hosts.length} hosts, ${summary.degraded} in part, ${summary.blocked} not`,
      result: {
        summary,
        toolCount,
        protocolVersions,
        catalogVersion,
        hosts: hosts.map(({ hostId, verdict, findings }) => ({
          hostId,
          verdict,
          findings: findings.map(({ code, title }) => ({ code, title })),
        })),
      },
    }),
  },
  callTool: {
    kind: "tool",
    call: ({ toolName, parameters = {} }) => ({ subject: toolName, parameters }),
    told: ({ durationMs, _rpcLogs, ...result }: Record<string, unknown> & { durationMs: number }) => ({
      outcome: result.isError === true ? "failed" : "ok",
      code: result.isError === true ? "TOOL_ERROR" : null,
      summary: saidIn(result.content) ?? "Answered without a text",
      result,
      durationMs,
    }),
  },
  getPrompt: {
    kind: "prompt",
    call: ({ promptName, arguments: parameters = {} }) => ({ subject: promptName, parameters }),
    told: ({ _rpcLogs, ...result }: Record<string, unknown> & { messages: unknown[] }) => ({
      outcome: "ok",
      summary: counted(result.messages.length, "message"),
      result,
    }),
  },
  readResource: {
    kind: "resource",
    call: ({ uri }) => ({ subject: uri, parameters: { uri } }),
    told: ({ _rpcLogs, ...result }: Record<string, unknown> & { contents: unknown[] }) => ({
      outcome: "ok",
      summary: counted(result.contents.length, "content"),
      result,
    }),
  },
};

/** Asks, and keeps what came of it. What never reached the server is no history. */
export async function askKept(name: AskName, call: LiveCall, input: unknown): Promise<unknown> {
  // By name, so input and output are those of the one that is named.
  const run = asks[name] as Asked;
  const keeping = keepings[name] as
    | { kind: HistoryKind; call?: (input: unknown) => CalledWith; told: (output: unknown) => Told }
    | undefined;
  if (!keeping) return run(call, input);
  let recorder: Recorder | undefined;
  const at = call.now();
  const began = performance.now();
  const heard = (record: Recorder) => {
    recorder = record;
    call.heard(record);
  };
  const keep = async (told: Told) => {
    if (!recorder) return;
    const asked = { kind: keeping.kind, at };
    const durationMs = Math.round(performance.now() - began);
    const held = recorder.hold(at);
    const complete = () => ({
      ...asked,
      durationMs,
      ...(keeping.call ? keptCall(keeping.kind, keeping.call(input), held) : noCall),
      ...outcomeOf(told, held),
      ...recordingOf(call, held, keeping.kind),
    });
    await call.keep({ ...asked, complete });
  };
  let output: unknown;
  try {
    output = await run({ ...call, heard }, input);
  } catch (error) {
    const told = failed(error, call.signal);
    if (told) await keep(told);
    throw error;
  }
  // A report of an examination that was broken off is no verdict.
  await keep(call.signal.aborted ? stopped : keeping.told(output));
  return output;
}

interface CalledWith {
  subject: string;
  parameters: Record<string, unknown>;
}

/** A call as it may be kept: what is named like a credential, looks like one or was one is taken out, and it is said where. */
export function keptCall(
  kind: HistoryKind,
  { subject, parameters }: CalledWith,
  { hide }: Pick<HeldMessages, "hide"> = { hide: (value) => value },
): KeptCall {
  const kept = cleaned(hide(redactArguments(parameters)));
  const text = JSON.stringify(kept);
  const named = String(cleaned(hide(subject)));
  const isCut = text.length > serverHistoryLimits.parametersBytes;
  const { changes } = jsonChanges(parameters, kept, serverHistoryLimits.changes);
  return {
    subject: line(named, serverHistoryLimits.subjectLength),
    parameters: isCut ? null : text,
    withheld: isCut ? [""] : changes.map(({ path }) => path),
    callDigest: digestOf([kind, named, text]),
  };
}

/** By names, by passages, and by the shapes that keys have. */
const cleaned = (value: unknown): unknown => redact(value);

function outcomeOf({ outcome, code, summary, result, durationMs }: Told, { hide }: HeldMessages) {
  const isResultCut = isLargeJson(result, serverHistoryLimits.resultBytes);
  const kept = isResultCut || result === undefined ? null : JSON.stringify(cleaned(hide(result)));
  return {
    outcome,
    code: code === undefined || code === null ? null : line(code, serverHistoryLimits.codeLength),
    summary: line(String(cleaned(hide(summary))), serverHistoryLimits.summaryLength),
    result: kept,
    isResultCut,
    ...(durationMs !== undefined && { durationMs }),
  };
}

/** Without what is the same in all of them. */
export type KeptMessage = [direction: "send" | "receive", timestamp: string, message: unknown];

/** Those that fit; one that is too long leaves room for the others. */
function recordingOf({ server }: LiveCall, held: HeldMessages, kind: HistoryKind) {
  const texts: string[] = [];
  let room: number = serverHistoryLimits.recordingBytes;
  let messagesLeftOut = 0;
  const messages = toRpcLogs({ entries: held.read() }, { serverId: server.id, serverName: server.name });
  for (const { direction, timestamp, message } of kind === "tool" ? withoutLists(messages) : messages) {
    const text = JSON.stringify([direction, timestamp, cleaned(message)] satisfies KeptMessage);
    if (text.length > room) messagesLeftOut += 1;
    else {
      texts.push(text);
      room -= text.length;
    }
  }
  return { recording: `[${texts.join(",")}]`, messagesLeftOut };
}

/** The tools are listed before a call where nobody has: that is ours, no part of the call, and may be long. */
function withoutLists<Logged extends { message: unknown }>(messages: readonly Logged[]): Logged[] {
  const partsOf = ({ message }: Logged) => (isObject(message) ? message : {});
  const lists = new Set(
    messages
      .map(partsOf)
      .filter(({ method }) => method === "tools/list")
      .map(({ id }) => id),
  );
  return messages.filter((logged) => !lists.has(partsOf(logged).id));
}

/** Read from its settings, without asking it. */
export function oauthDraft(useOAuth: boolean, at: number): HistoryDraft {
  return {
    ...noCall,
    ...noRecording,
    kind: "oauth",
    outcome: "ok",
    code: null,
    summary: useOAuth ? "Set up to sign people in" : "Set up without sign-in",
    at,
    durationMs: 0,
    result: JSON.stringify({ useOAuth }),
    isResultCut: false,
  };
}

const stopped: Told = { outcome: "stopped", summary: "Whoever asked did not wait for the answer" };

/** Nothing when the fault was ours or the call was never made. */
function failed(error: unknown, signal: AbortSignal): Told | undefined {
  if (signal.aborted) return stopped;
  if (!(error instanceof ApiError) || error.code === "RATE_LIMITED") return undefined;
  const { code, message, details } = error;
  const { _rpcLogs, hint, ...told } = details ?? {};
  return { outcome: "failed", code, summary: message, result: { error: { code, message, ...told } } };
}

function greeting(initInfo: Record<string, unknown> | null): string {
  const { serverVersion, protocolVersion } = (initInfo ?? {}) as {
    serverVersion?: { name?: unknown; version?: unknown };
    protocolVersion?: unknown;
  };
  const words = [serverVersion?.name, serverVersion?.version, protocolVersion].filter((word) => word != null);
  return words.length === 0 ? "Answered" : `Answered as ${words.join(" ")}`;
}

function saidIn(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  return content
    .map((part: { text?: unknown } | null) => part?.text)
    .find((text) => typeof text === "string");
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** One line, of characters that a database keeps. */
function line(text: string, most: number): string {
  const plain = text
    .slice(0, most * 2)
    .toWellFormed()
    .replace(/[\s\0]+/g, " ")
    .trim();
  return plain.length > most ? `${plain.slice(0, most - 1)}…` : plain;
}
