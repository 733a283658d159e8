/** @module `fettle subscriptions listen`: hears of a server's changes as they happen, one line each, until told to stop. */
import { setTimeout as delay } from "node:timers/promises";
import { exitCodes, keysOf } from "@fettle/contract/core";
import {
  isMcpError,
  type JsonObject,
  type SubscriptionFilter,
  type SubscriptionOutcome,
  subscribe,
} from "@fettle/mcp";
import { type CliError, operationalError, toCliError, usageError } from "../../cli-error.ts";
import { asCliError } from "../../connection/failure.ts";
import { type Plan, planConnection, withPlan } from "../../connection/open-server.ts";
import { untilInterrupted } from "../../interrupts.ts";
import type { Outcome } from "../../output/printer.ts";
import { count } from "../../output/table.ts";
import { style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { listenFlags } from "./flags.ts";

type ListenCall = Call<typeof listenFlags, NoArguments>;

interface Listening {
  filter: SubscriptionFilter;
  heard: number;
  /** The server agreed at least once. */
  wasOpen: boolean;
  stop: AbortController;
}

type StopReason = "interrupted" | "duration" | "enough";

export async function run(call: ListenCall): Promise<Outcome> {
  const { flags } = call;
  const listening: Listening = {
    filter: filterOf(call),
    heard: 0,
    wasOpen: false,
    stop: new AbortController(),
  };
  const plan = await planConnection(call);
  const over = new AbortController();
  untilInterrupted(over.signal).then(() => listening.stop.abort("interrupted" satisfies StopReason));
  const timer =
    flags.durationMs === undefined
      ? undefined
      : setTimeout(() => listening.stop.abort("duration" satisfies StopReason), flags.durationMs);
  try {
    return await listenAgain(call, plan, listening);
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

function filterOf({ flags }: ListenCall): SubscriptionFilter {
  const all = flags.listChanged;
  const filter: SubscriptionFilter = {
    ...((all || flags.toolsListChanged) && { toolsListChanged: true }),
    ...((all || flags.promptsListChanged) && { promptsListChanged: true }),
    ...((all || flags.resourcesListChanged) && { resourcesListChanged: true }),
    ...(flags.resourceUri.length > 0 && { resourceSubscriptions: flags.resourceUri }),
  };
  if (Object.keys(filter).length > 0) return filter;
  throw usageError("Say what to listen for: --list-changed, one of its parts, or --resource-uri.");
}

/** A stream that breaks off is opened again, as often as asked, waiting longer each time. */
async function listenAgain(call: ListenCall, plan: Plan, listening: Listening): Promise<Outcome> {
  const { flags, print } = call;
  const longest = flags.relistenMaxDelayMs ?? 30_000;
  let wait = flags.relistenDelayMs ?? 1_000;
  for (let tried = 0; ; tried++) {
    const ended = await listenOnce(call, plan, listening);
    const isOver =
      ended.outcome === "graceful" || ended.outcome === "cancelled" || listening.stop.signal.aborted;
    if (isOver || tried >= (flags.relisten ?? 0)) return endOutcome(call, ended, listening);
    print.note(text`The stream ended (${ended.outcome}). Listening again in ${wait} ms.`);
    await delay(wait, undefined, { signal: listening.stop.signal }).catch(() => {});
    wait = Math.min(longest, wait * 2);
  }
}

interface Ended {
  outcome: SubscriptionOutcome;
  error?: { code: string; message: string };
}

async function listenOnce(call: ListenCall, plan: Plan, listening: Listening): Promise<Ended> {
  let ended: Ended = { outcome: "cancelled" };
  try {
    await withPlan(
      call,
      plan,
      async ({ connection }) => {
        const subscription = await subscribe(
          connection,
          listening.filter,
          (method, params) => hear(call, listening, method, params),
          { signal: listening.stop.signal },
        );
        const { acknowledged } = subscription;
        const refused = partsOf(listening.filter).filter((part) => !partsOf(acknowledged).includes(part));
        if (partsOf(acknowledged).length === 0) {
          await subscription.close();
          throw nothingOffered(refused);
        }
        listening.wasOpen = true;
        tell(call, { event: "acknowledged", filter: acknowledged });
        if (refused.length > 0) {
          call.print.warn(text`The server does not offer to tell of ${refused.join(", ")}.`);
        }
        const end = await subscription.ended;
        const isOurs = end.outcome === "cancelled" || end.outcome === "graceful";
        ended = { outcome: end.outcome, ...(!isOurs && end.failure && { error: errorOf(end.failure) }) };
        await subscription.close();
        return { value: null, human: () => text`` };
      },
      { openEnded: true, hasPromptCalls: true, endsWhenInterrupted: true, signal: listening.stop.signal },
    );
    return ended;
  } catch (error) {
    if (listening.stop.signal.aborted) return { outcome: "cancelled" };
    // Refusing what was asked for will not change by asking again.
    if (!isMcpError((error as Error).cause) && !isMcpError(error)) throw error;
    return { outcome: "error", error: errorOf(error) };
  }
}

function hear(call: ListenCall, listening: Listening, method: string, params: JsonObject): void {
  listening.heard++;
  tell(call, { event: "notification", method, params, receivedAt: new Date(call.world.now()).toISOString() });
  if (listening.heard >= (call.flags.maxNotifications ?? Number.POSITIVE_INFINITY))
    listening.stop.abort("enough" satisfies StopReason);
}

function tell({ print }: ListenCall, event: Record<string, unknown>): void {
  if (print.format === "json") print.document(`${JSON.stringify(event)}\n`);
  else if (event.event === "acknowledged")
    print.note(text`Listening for ${partsOf(event.filter as SubscriptionFilter).join(", ")}. Ctrl-C stops.`);
  else
    print.page(
      () => text`${style.dim(String(event.receivedAt))} ${String(event.method)} ${uriOf(event.params)}`,
    );
}

/** What is listened for, in words. */
function partsOf({ resourceSubscriptions = [], ...lists }: SubscriptionFilter): string[] {
  const words = {
    toolsListChanged: "changes of the tools",
    promptsListChanged: "changes of the prompts",
    resourcesListChanged: "changes of the resources",
  };
  const named = keysOf(words).filter((name) => lists[name] === true);
  return [...named.map((name) => words[name]), ...resourceSubscriptions];
}

/** Whoever waits for what was never offered waits for ever. */
function nothingOffered(refused: readonly string[]): CliError {
  return operationalError(
    `There is nothing to listen for: the server does not offer to tell of ${refused.join(", ")}.`,
    { hint: "`fettle server capabilities` shows what it offers (listChanged, subscribe)." },
  );
}

function uriOf(params: unknown): string {
  const { uri } = params as JsonObject;
  return typeof uri === "string" ? uri : "";
}

function errorOf(error: unknown): { code: string; message: string } {
  const { code, message } = toCliError(asCliError(error));
  return { code, message };
}

function endOutcome({ flags }: ListenCall, ended: Ended, { heard, wasOpen, stop }: Listening): Outcome {
  const reason = stop.signal.reason as StopReason | undefined;
  const { outcome, error } =
    reason === "duration" && !wasOpen ? neverOpen(flags.durationMs ?? 0, ended.error?.message) : ended;
  const isFine = outcome === "graceful" || outcome === "cancelled";
  const isBrokenOff = reason === "interrupted" && !wasOpen;
  return {
    value: { event: "ended", outcome, notifications: heard, ...(error && { error }) },
    human: () =>
      text`${isFine ? style.green("✓") : style.red("✗")} ${outcome}: ${count(heard, "notification")}${error ? `. ${error.message}` : ""}`,
    exitCode: isBrokenOff ? exitCodes.interrupted : isFine ? exitCodes.ok : exitCodes.failed,
  };
}

/** Nobody listened for a moment of it, so it did not end well. */
function neverOpen(durationMs: number, why: string | undefined): Ended {
  const message = `Nobody agreed to be listened to within the ${durationMs} ms of --duration-ms.`;
  return { outcome: "error", error: { code: "TIMEOUT", message: why ? `${message} ${why}` : message } };
}
