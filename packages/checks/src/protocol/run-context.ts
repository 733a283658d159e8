/** @module What the observers of one run work with: the conversation, ways to start another, and what the operator allows. */
import type {
  HttpTarget,
  JsonObject,
  McpError,
  NetworkPolicy,
  RawHttp,
  Target,
  WireProblem,
} from "@fettle/mcp";
import type { Look, Observers } from "../verdict/run-checks.ts";
import type { Exchange } from "./conversation/exchange.ts";
import type { Talk } from "./conversation/talk.ts";
import type { Fixtures } from "./fixtures.ts";
import type { ProtocolFacts } from "./protocol-check.ts";
import type { ProtocolSeen } from "./seen.ts";

/** What became of a real client that connected first. */
export type ClientOutcome =
  | { kind: "connected"; version: string; capabilities: JsonObject; serverInfo: JsonObject | null }
  | { kind: "failed"; failure: McpError };

export interface TalkWishes {
  /** Open the stream for what the server says by itself; it is, unless said. */
  listens?: boolean;
  /** The revision to ask for; that of the run unless said. */
  version?: string;
  /** Over connections of its own. */
  isApart?: boolean;
}

export interface RunContext {
  target: Target;
  facts: ProtocolFacts;
  client: ClientOutcome;
  /** What was odd on the wire so far, in every conversation of this run. */
  problems(): WireProblem[];
  /** The conversation that most observations share. */
  talk: Talk;
  /** A conversation of its own, for what would disturb the others; closed with the run. */
  openTalk(options?: TalkWishes): Promise<Talk>;
  /** Hand-made requests, over HTTP only. */
  http?: { raw: RawHttp; target: HttpTarget; headers: Record<string, string> };
  fixtures: Fixtures;
  /** Tools that call themselves read-only may be called. */
  callReadOnly: boolean;
  policy: NetworkPolicy | undefined;
  timeoutMs: number;
  transcript: Exchange[];
  /** What came on streams that the server speaks on by itself, one exchange for each. */
  listened: Exchange[];
  /** Why the process of the conversation has ended; a new one that starts does not make up for it. */
  died(): Promise<McpError | undefined>;
}

export type ProtocolLook = Look<ProtocolSeen>;
/** The observers of one group. */
export type ObserversOf<Group> = { [Name in keyof Group]: (look: ProtocolLook) => Promise<Group[Name]> };
export type ProtocolObservers = Observers<ProtocolSeen>;
