/** @module What a call needs to be made again, from the history or from what was saved. Pure. */
import { ApiError } from "@fettle/contract/core";
import { redactedText } from "@fettle/contract/secrets";
import { type CallKind, callKinds, type SavedCallCreateRequest } from "@fettle/contract/servers";
import type { Attending } from "../live/attended.ts";
import { keptCall } from "../live/kept-calls.ts";
import type { AskName } from "../live/live.ts";
import type { HistoryDetailRow } from "./store.ts";
import { parametersOf } from "./told.ts";

export const sharedCall = { what: "The saved call", code: "SAVED_CALL_CHANGED" };

/** What can be made again, as it was kept. */
export interface KeptToCall {
  kind: CallKind;
  subject: string;
  parameters: string;
  withheld: string[];
}

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

/** Nobody looks on: a task is followed to its end, and what it asks is answered by nobody. */
export const unattended: Attending = {
  declares: { sampling: false, elicitation: false, roots: null, tasks: true, widgets: false },
  hear: () => {},
  options: {},
};

/** What the server is asked, by the kind of the call. */
export function askedFor(
  { kind, subject }: KeptToCall,
  parameters: Record<string, unknown>,
  asTask: boolean,
): { name: AskName; input: object } {
  switch (kind) {
    case "tool":
      return {
        name: "callTool",
        input: { toolName: subject, parameters, ...(asTask && { taskOptions: {} }) },
      };
    case "prompt":
      // Texts, numbers and booleans when they were first sent; others become their text.
      return { name: "getPrompt", input: { promptName: subject, arguments: parameters } };
    case "resource":
      return { name: "readResource", input: { uri: String(parameters.uri ?? subject) } };
  }
}

/** A call that is saved as it is said, without what may be a credential. */
export function requestedCall({ kind = "tool", subject = "", parameters = {} }: SavedCallCreateRequest) {
  // A resource is called by its address alone.
  const called = { subject, parameters: kind === "resource" ? { uri: subject } : parameters };
  const { parameters: text, withheld } = keptCall(kind, called);
  return { kind, subject, parameters: text ?? "{}", withheld };
}

/** What was sent before, or what is sent instead. A credential that was not kept is never guessed. */
export function parametersFor(
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
