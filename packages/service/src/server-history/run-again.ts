/** @module A call made again, from the history or from what was saved; what came of it is compared with what came before. */
import {
  ApiError,
  type CallKind,
  callKinds,
  type RanAgain,
  redactedText,
  type SavedCallId,
} from "@fettle/contract";
import type { App } from "../app.ts";
import { ask } from "../live/ask.ts";
import type { Attending } from "../live/attended.ts";
import type { SavedServer } from "../live/store.ts";
import type { SignedInCaller } from "../routing/bind.ts";
import { WrittenJson } from "../routing/written-json.ts";
import { lastOf, type SavedCallRow, updateCall } from "./saved-call-store.ts";
import { findEntry, type HistoryDetailRow, type HistoryRow } from "./store.ts";
import { compareEntries, parametersOf, toDetail, wasTask } from "./told.ts";

interface Asking {
  app: App;
  caller: SignedInCaller;
  request: { signal: AbortSignal };
  body: { parameters?: Record<string, unknown> | undefined };
}

/** What can be made again, as it was kept. */
export interface KeptToCall {
  kind: CallKind;
  subject: string;
  parameters: string;
  withheld: string[];
}

/** Nobody looks on: a task is followed to its end, and what it asks is answered by nobody. */
const unattended: Attending = {
  declares: { sampling: false, elicitation: false, roots: null, tasks: true, widgets: false },
  hear: () => {},
  options: {},
};

/** Refuses what is no call, or was too long to be kept. */
export function requireCall(row: HistoryDetailRow): KeptToCall {
  const kind = callKinds.find((each) => each === row.kind);
  if (!kind || row.subject === null) {
    throw new ApiError(
      "VALIDATION_ERROR",
      "Only calls of tools and prompts and reads of resources are made again.",
      {
        code: "NOT_A_CALL",
        kind: row.kind,
        hint: "Ask for the check itself anew.",
      },
    );
  }
  return { kind, subject: row.subject, parameters: row.parameters ?? "{}", withheld: row.withheld };
}

export async function rerunEntry(
  asking: Asking,
  server: SavedServer,
  entry: HistoryDetailRow,
): Promise<RanAgain> {
  const made = await makeCall(asking, server, requireCall(entry), { asTask: wasTask(entry) });
  return { entry: toDetail(made, server.name), comparison: compareEntries(entry, made) };
}

export async function runSavedCall(
  asking: Asking,
  server: SavedServer,
  row: SavedCallRow,
): Promise<RanAgain> {
  const last = row.lastEntryId && (await findEntry(asking.app.db, server.id, row.lastEntryId));
  const made = await makeCall(asking, server, row, { callId: row.id, asTask: !!last && wasTask(last) });
  await updateCall(asking.app.db, row.id, lastOf(made));
  return { entry: toDetail(made, server.name), comparison: compareEntries(lastEntryOf(row), made) };
}

/** The entry of the last time, which the history may have forgotten. */
function lastEntryOf(row: SavedCallRow): HistoryDetailRow | undefined {
  const { lastEntryId, lastOutcome, lastAt } = row;
  if (!lastEntryId || !lastOutcome || !lastAt) return undefined;
  const { serverId, kind, subject, parameters, withheld } = row;
  return {
    ...{ id: lastEntryId, serverId, kind, subject, parameters, withheld },
    outcome: lastOutcome,
    at: lastAt,
    code: null,
    summary: row.lastSummary ?? "",
    durationMs: row.lastDurationMs ?? 0,
    callId: row.id,
    result: row.lastResult,
    isResultCut: row.isLastCut,
    ...{ createdBy: null, createdByName: null, runId: null, callDigest: null },
    ...{ recording: null, messagesLeftOut: 0 },
  };
}

/** A call that fails is an outcome, not an error: it is in the history like any other. */
async function makeCall(
  asking: Asking,
  server: SavedServer,
  call: KeptToCall,
  { callId, asTask }: { callId?: SavedCallId; asTask: boolean },
): Promise<HistoryDetailRow> {
  const parameters = parametersFor(call, asking.body.parameters);
  let kept: HistoryRow | undefined;
  // Whoever reads the entry needs no more of the answer: a long one is not waited for.
  const enough = new AbortController();
  const signal = AbortSignal.any([asking.request.signal, enough.signal]);
  const one = {
    app: asking.app,
    caller: asking.caller,
    request: { signal },
    ...(callId && { callId }),
    ...(asTask && { attending: unattended }),
    kept: (entry: HistoryRow) => {
      kept = entry;
    },
  };
  try {
    const answer = await askAgain(one, server, call, parameters);
    if (answer instanceof WrittenJson) enough.abort();
  } catch (error) {
    if (!kept) throw error;
  }
  const row = kept && (await findEntry(asking.app.db, server.id, kept.id));
  if (row) return row;
  throw new ApiError("UNAVAILABLE", "The call was made, and could not be written down.", {
    reason: "HISTORY_NOT_WRITTEN",
    hint: "Whether it had an effect is the server's to say; look there before you make it again.",
  });
}

function askAgain(
  one: Parameters<typeof ask>[0],
  server: SavedServer,
  { kind, subject }: KeptToCall,
  parameters: Record<string, unknown>,
): Promise<unknown> {
  switch (kind) {
    case "tool":
      return ask(one, server, "callTool", {
        toolName: subject,
        parameters,
        ...(one.attending && { taskOptions: {} }),
      });
    case "prompt":
      // Texts, numbers and booleans when they were first sent; others become their text.
      return ask(one, server, "getPrompt", {
        promptName: subject,
        arguments: parameters as Record<string, string | number | boolean>,
      });
    case "resource":
      return ask(one, server, "readResource", { uri: String(parameters.uri ?? subject) });
  }
}

/** What was sent before, or what is sent instead. A credential that was not kept is never guessed. */
function parametersFor(
  call: KeptToCall,
  given: Record<string, unknown> | undefined,
): Record<string, unknown> {
  const parameters = given ?? parametersOf(call) ?? {};
  const missing = given ? call.withheld.filter((path) => isMarker(given, path)) : call.withheld;
  if (missing.length === 0) return parameters;
  throw new ApiError("VALIDATION_ERROR", "Some parameters held credentials, which are not kept.", {
    path: "body.parameters",
    code: "SECRET_NOT_KEPT",
    withheld: missing,
    hint: "Send all parameters again, with these filled in.",
  });
}

/** Whether what stands there is only the sign that something was taken out. */
function isMarker(value: unknown, path: string): boolean {
  const words = path.split("/").slice(1);
  const found = words.reduce<unknown>(
    (inside, word) =>
      (inside as Record<string, unknown> | undefined)?.[word.replaceAll("~1", "/").replaceAll("~0", "~")],
    value,
  );
  return typeof found === "string" && found.includes(redactedText);
}
