/** @module `fettle cloud agent run`: one turn of the workspace agent, what it did, and what it wants decided. */
import type { AgentMessage, AgentTurnResponse } from "@fettle/contract/agent";
import { limits } from "@fettle/contract/core";
import { usageError } from "../../cli-error.ts";
import { inProject } from "../../cloud/in-project.ts";
import { isRecord } from "../../files/read-json.ts";
import { tokensText } from "../../output/conversation.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines, style, type Text, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { agentRunFlags } from "./agent-flags.ts";

type RunCall = Call<typeof agentRunFlags, NoArguments>;

/** A turn may take as long as the service gives it. */
const turnMs = limits.chat.turnMs + limits.chat.leaseMs;

export async function run(typed: RunCall): Promise<Outcome> {
  const call = { ...typed, global: { ...typed.global, timeout: typed.global.timeout ?? turnMs } };
  const { conversation, idempotencyKey } = call.flags;
  const messages = await readMessages(call);
  const { client, projectId } = await inProject(call);
  const done = call.print.progress("Waiting for the answer ...");
  const turn = await client
    .runAgentTurn({
      projectId,
      body: {
        messages,
        ...(conversation !== undefined && { conversationId: conversation }),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      },
    })
    .finally(done);
  return { value: turn, human: () => turnText(turn) };
}

async function readMessages({ flags: { message, file }, input }: RunCall): Promise<AgentMessage[]> {
  const before = file === undefined ? [] : await readHistory(input, file);
  const messages = message === undefined ? before : [...before, { role: "user" as const, content: message }];
  if (messages.length === 0) throw usageError("Say something: --message, or a history with --file.");
  return messages;
}

async function readHistory(input: RunCall["input"], file: string): Promise<AgentMessage[]> {
  const given = await input.json("--file", file === "-" ? file : `@${file}`);
  const list = isRecord(given) ? given.messages : given;
  if (!Array.isArray(list) || !list.every(isMessage)) {
    throw usageError("--file holds no history.", {
      hint: 'It is JSON such as [{"role": "user", "content": "list suites"}], or {"messages": [...]}.',
    });
  }
  return list;
}

function isMessage(value: unknown): value is AgentMessage {
  if (!isRecord(value)) return false;
  return (value.role === "user" || value.role === "assistant") && typeof value.content === "string";
}

function turnText(turn: AgentTurnResponse): Text {
  const { reply, toolCalls, createdResources, proposedActions, usage, model, replay } = turn;
  const called = toolCalls.map(({ operation, isError }) => (isError ? `${operation} (failed)` : operation));
  return lines([
    ...reply.split("\n"),
    ...createdResources.map(
      ({ type, id, name, url }) =>
        text`${style.green("✓")} Made ${type} ${name ?? ""} ${style.dim(`(${id})`)} ${url}`,
    ),
    ...proposedActions.map(
      ({ description, reason, actionId }) =>
        text`${style.yellow("?")} Needs approval: ${description} ${style.dim(`(${actionId})`)}\n  ${reason}`,
    ),
    ...(called.length > 0 ? [style.dim(`Called ${called.join(", ")}.`)] : []),
    ...(model.modelClass === "rules"
      ? [style.dim("Answered by fixed commands; no language model was asked.")]
      : [tokensText({ ...usage, totalTokens: usage.inputTokens + usage.outputTokens })]),
    ...(replay ? [style.dim("Answered from what is stored; nothing was paid.")] : []),
  ]);
}
