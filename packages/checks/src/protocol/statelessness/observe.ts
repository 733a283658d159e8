/** @module Looking at whether a server remembers: a first request on a connection of its own, and a capability that was declared once. */
import { isObject } from "@fettle/mcp";
import type { Exchange } from "../conversation/exchange.ts";
import { type ListSeen, namesOf, type SeenList } from "../lists/observe.ts";
import type { ObserversOf, RunContext } from "../run-context.ts";

export interface StatelessnessSeen {
  /** A list asked for as the first thing on a new connection or of a new process, and once more on the old one; undefined where nothing is listed. */
  freshList: { usual: SeenList; fresh: Exchange; again: Exchange } | undefined;
  /** A tool that needs something of the client, called with it and then without; undefined without such a tool. */
  forgottenCapability: { declared: Exchange; undeclared: Exchange } | undefined;
}

declare module "../seen.ts" {
  interface ProtocolSeen extends StatelessnessSeen {}
}

const lists = ["tools", "prompts", "resources"] as const satisfies (keyof ListSeen)[];

export function statelessnessObservers({ talk, openTalk }: RunContext): ObserversOf<StatelessnessSeen> {
  return {
    freshList: async (look) => {
      const seen = await Promise.all(lists.map((name) => look(name)));
      const usual = seen.find(({ isAdvertised, isComplete }) => isAdvertised && isComplete);
      if (!usual) return undefined;
      const newcomer = await openTalk({ listens: false, isApart: true });
      const fresh = await newcomer.ask(usual.method);
      return { usual, fresh, again: await talk.ask(usual.method) };
    },
    forgottenCapability: async (look) => {
      // A server that remembers must not have been told before it is asked the first time.
      if (!(await look("undeclaredCapability"))) return undefined;
      const params = { name: "test_missing_capability", arguments: {} };
      const declared = await talk.ask("tools/call", params);
      return { declared, undeclared: await talk.ask("tools/call", params, { capabilities: {} }) };
    },
  };
}

/** What a page of a list names. */
export function namesOn(list: SeenList, page: Exchange): string[] {
  const result = page.answer?.kind === "result" ? page.answer.result : undefined;
  const items = isObject(result) ? result[list.member] : undefined;
  return namesOf({ ...list, items: Array.isArray(items) ? items : [] }).toSorted();
}
