/** @module The set of recorded sessions that comes with the service: visits to the sample bookshop. They were written by hand and played with the built-in rules as the assistant, and stand for real visitors only until there are some. */
import recorded from "./bookshop-sessions.json" with { type: "json" };
import type { RecordedSession } from "./frozen.ts";

/** Its type reads every tool that some session called as absent from the others; the test that records it holds it to this one. */
export const bookshopSessions = recorded as unknown as readonly RecordedSession[];
