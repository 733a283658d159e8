/** @module `fettle cloud sessions promote`: an eval case made of a conversation. */
import { type ApiClient, type ChatMessage, caseFromTurns, type HeldTurn, limits } from "@fettle/contract";
import { operationalError } from "../../cli-error.ts";
import { finders } from "../../cloud/finders.ts";
import { inProject } from "../../cloud/in-project.ts";
import type { Outcome } from "../../output/printer.ts";
import { count } from "../../output/table.ts";
import { lines, style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { promoteFlags } from "./sessions.ts";

type SessionId = Parameters<ApiClient["getChatSession"]>[0]["sessionId"];

export async function run(call: Call<typeof promoteFlags, NoArguments>): Promise<Outcome> {
  const { flags } = call;
  const place = await inProject(call);
  const { client, projectId } = place;
  const suite = await (await finders.suite(place))(flags.suite);
  // As typed; the service says if it is none.
  const turns = await readTurns(client, flags.session as SessionId);
  if (turns.length === 0) {
    throw operationalError("Nothing was said in this conversation yet.", {
      hint: "`fettle cloud sessions list` shows those that have messages.",
    });
  }
  const body = caseFromTurns(turns, flags.title);
  const made = await client.createEvalCase({ projectId, suiteId: suite.id, body });
  const calls = body.steps.filter(({ kind }) => kind === "assert").length;
  return {
    value: { suiteId: suite.id, case: made },
    human: () =>
      lines([
        text`${style.green("✓")} ${style.bold(made.title)} ${style.dim(made.id)} in ${suite.name ?? suite.id}`,
        style.dim(`${count(turns.length, "message")} asked again, ${count(calls, "call")} expected again`),
        ...(calls === 0 ? [style.yellow("Nothing was called, so the case expects nothing yet.")] : []),
      ]),
    hint: `fettle cloud eval cases get --suite ${suite.id} --case ${made.id}`,
  };
}

/** Page by page: the messages say what was asked, the turns what was called. */
async function readTurns(client: ApiClient, sessionId: SessionId): Promise<HeldTurn[]> {
  const asked = new Map<number, string>();
  for (let after: number | undefined; ; ) {
    const page = await client.getChatSession({
      sessionId,
      query: { afterMessageIndex: after, limit: limits.chat.listed.max },
    });
    for (const { index, role, content } of page.messages)
      if (role === "user") asked.set(index, said(content));
    if (page.nextMessageIndex === undefined) break;
    after = page.nextMessageIndex - 1;
  }
  const turns: HeldTurn[] = [];
  for (let after = -1; ; ) {
    const page = await client.getChatSessionTrace({
      sessionId,
      query: { afterPromptIndex: after, limit: limits.chat.tracedTurns.max, includeSpans: "false" },
    });
    for (const { messageStartIndex = -1, toolCalls = [], promptIndex } of page.turns) {
      turns.push({ message: asked.get(messageStartIndex) ?? "", toolCalls });
      after = promptIndex;
    }
    if (page.turns.length === 0 || after >= page.turnCount - 1) return turns;
  }
}

const said = (content: ChatMessage["content"]) => (typeof content === "string" ? content : "");
