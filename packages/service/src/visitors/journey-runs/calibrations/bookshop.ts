/** @module The set of recorded sessions that comes with the service: visits to the sample bookshop. They were written by hand and played with the built-in rules as the assistant, and stand for real visitors only until there are some. */
import recorded from "./bookshop-sessions.json" with { type: "json" };
import type { RecordedSession } from "./frozen.ts";

export const bookshopSessions: readonly RecordedSession[] = recorded.map(({ facts, ...session }) => ({
  ...session,
  facts: { ...facts, tools: calledIn(facts.tools) },
}));

/** The file's type has every tool that some session called in all of them. */
function calledIn(tools: Record<string, number | undefined>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(tools).flatMap(([name, count]) => (count === undefined ? [] : [[name, count]])),
  );
}
