/** @module `fettle cloud sessions send`: one message, its answer and what it took. */
import { setTimeout as delay } from "node:timers/promises";
import type { ApiClient } from "@fettle/contract/client";
import { ApiError, limits } from "@fettle/contract/core";
import type { ChatTurn } from "@fettle/contract/visitors";
import { usageError } from "../../../cli-error.ts";
import { finders, type Noun } from "../../../cloud/finders.ts";
import { type InProject, inProject } from "../../../cloud/in-project.ts";
import { reachDeployment } from "../../../cloud/reach-deployment.ts";
import { callText, tokensText } from "../../../output/conversation.ts";
import type { Outcome } from "../../../output/printer.ts";
import { lines, style, text } from "../../../output/text.ts";
import type { Call, NoArguments } from "../../../program/command.ts";
import { camelCase } from "../../../program/flag.ts";
import type { sendFlags } from "./sessions-flags.ts";

type SendCall = Call<typeof sendFlags, NoArguments>;
type Body = Parameters<ApiClient["sendChatMessage"]>[0]["body"];

/** Settled by the first message. */
const settled = ["model", "environment", "server", "client", "system-prompt", "temperature", "tool-mode"];

/** A turn may take as long as the service gives it, and one that was lost is known to be when its lease is over. */
const turnMs = limits.chat.turnMs + limits.chat.leaseMs;

export async function run(typed: SendCall): Promise<Outcome> {
  const call = { ...typed, global: { ...typed.global, timeout: typed.global.timeout ?? turnMs } };
  const { flags } = call;
  const body = {
    message: flags.message,
    idempotencyKey: flags.idempotencyKey,
    ...(flags.maxSteps !== undefined && { maxSteps: flags.maxSteps }),
    ...(flags.maxToolCalls !== undefined && { maxToolCalls: flags.maxToolCalls }),
  };
  const turn = flags.session === undefined ? await begin(call, body) : await goOn(call, flags.session, body);
  return {
    value: turn,
    human: () =>
      lines([
        ...(turn.reply?.split("\n") ?? [style.dim(`No words: it ended by ${turn.stop}.`)]),
        ...turn.toolCalls.map(callText),
        tokensText(turn.usage),
        ...(turn.replay ? [style.dim("Answered from what is stored; nothing was paid.")] : []),
        ...turn.warnings.map((warning) => style.yellow(warning)),
        ...(turn.persisted.outcome === "saved" || turn.replay
          ? []
          : [style.yellow(`The conversation was not stored: ${turn.persisted.outcome}.`)]),
        ...(turn.sessionId === null ? [] : [text`Session: ${turn.sessionId}`]),
      ]),
    hint: turn.sessionId === null ? undefined : `fettle cloud sessions show --session ${turn.sessionId}`,
  };
}

async function goOn(call: SendCall, sessionId: string, body: Body): Promise<ChatTurn> {
  // By the names that are typed: what is said is looked at, not its value.
  const { flags } = call as { flags: Record<string, unknown> };
  const said = settled.filter((name) => {
    const value = flags[camelCase(name)];
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
  if (said.length > 0) {
    const names = said.map((name) => `--${name}`).join(", ");
    throw usageError(`${names}: settled by the first message, and not changed with --session.`, {
      hint: "Leave them out, or leave out --session to begin another conversation.",
    });
  }
  const { client, announce } = await reachDeployment(call);
  announce("a conversation");
  return send(call, client, { ...body, sessionId });
}

async function begin(call: SendCall, body: Body): Promise<ChatTurn> {
  const {
    model,
    environment,
    server = [],
    client: asClient,
    systemPrompt,
    temperature,
    toolMode,
  } = call.flags;
  if (environment !== undefined && (server.length > 0 || asClient !== undefined)) {
    throw usageError("--environment brings its servers and its client along; give one of them.");
  }
  if (environment === undefined && server.length === 0 && asClient === undefined) {
    throw usageError("Say what to speak to: --environment, --server or --client; or --session to go on.");
  }
  if (model === undefined && environment === undefined && asClient === undefined) {
    throw usageError("--model is required to begin.", {
      hint: "fettle/rules-1 needs no key.",
    });
  }
  const place = await inProject(call);
  const find = async (noun: Noun, selector: string) => (await (await finders[noun](place))(selector)).id;
  return send(call, place.client, {
    ...body,
    projectId: place.projectId,
    ...(model !== undefined && { modelId: model }),
    ...(environment !== undefined && {
      environmentId: await find("environment", environment),
    }),
    ...(server.length > 0 && { serverIds: await serverIds(place, server) }),
    ...(asClient !== undefined && {
      clientId: await find("client", asClient),
    }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(temperature !== undefined && { temperature }),
    ...(toolMode !== undefined && { toolMode }),
  });
}

async function serverIds(place: InProject, wanted: readonly string[]): Promise<string[]> {
  const find = await finders.server(place);
  return Promise.all(wanted.map(async (selector) => (await find(selector)).id));
}

/** Whoever sends what is under way already waits for it; the service pays for a key once. */
async function send(call: SendCall, client: ApiClient, body: Body): Promise<ChatTurn> {
  const done = call.print.progress("Waiting for the answer ...");
  const until = call.world.now() + turnMs;
  try {
    for (;;) {
      try {
        return await client.sendChatMessage({ body });
      } catch (error) {
        const wait = waitOf(error);
        if (wait === undefined || call.world.now() + wait > until) throw error;
        await delay(wait);
      }
    }
  } finally {
    done();
  }
}

function waitOf(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || error.details?.code !== "TURN_IN_PROGRESS") return undefined;
  const { retryAfterMs } = error.details;
  return typeof retryAfterMs === "number" ? Math.max(100, retryAfterMs) : undefined;
}
