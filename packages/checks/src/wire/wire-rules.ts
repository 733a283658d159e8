/** @module The faults of the wire, once for all who tell of them: what was noticed, the rule it breaks and how strong that is, and what to do. */
import type { EraKind, WireKind, WireProblem, WireProblemCode } from "@fettle/mcp";
import { eraOfVersion } from "@fettle/mcp";
import { spec } from "../protocol/protocol-check.ts";
import type { SpecReference } from "../verdict/run-checks.ts";

export interface WireRule {
  code: WireProblemCode;
  /** The check or advice of the protocol suite that tells it. */
  checkId: string;
  /** The word of the text it stands in; MAY where no text says anything. */
  strength: "MUST" | "SHOULD" | "MAY";
  reference: SpecReference;
  /** Every revision, era and transport unless said. */
  since?: string;
  allowedIn?: string;
  era?: EraKind;
  transports?: readonly WireKind[];
  /** Common clients do not get the message, or stop: the server does not work with them. */
  breaksClients: boolean;
  hint: string;
}

/** What must be known of a conversation to say which rules bind it. */
export interface WireFacts {
  version: string;
  transport: WireKind;
}

export interface WireFault {
  rule: WireRule;
  /** What was seen first, and how often the like was. */
  problem: WireProblem;
  times: number;
}

const responses = spec("Responses", "basic#responses");
const sending = spec("Sending messages", "basic/transports#sending-messages-to-the-server");
const stdio = spec("stdio", "basic/transports#stdio");

export const wireRules: readonly WireRule[] = [
  {
    code: "BATCH_ARRAY",
    checkId: "messages-not-batched",
    strength: "MUST",
    reference: sending,
    allowedIn: "2025-03-26",
    breaksClients: true,
    hint: "Send one JSON object for each line, body or event; batches exist in 2025-03-26 alone, and clients wait in vain for what comes in one.",
  },
  {
    code: "BYTE_ORDER_MARK",
    checkId: "messages-without-byte-order-mark",
    strength: "MUST",
    reference: {
      title: "JSON: character encoding",
      url: "https://www.rfc-editor.org/rfc/rfc8259#section-8.1",
    },
    breaksClients: true,
    hint: "Write UTF-8 without a byte order mark; a strict parser loses the message that it stands before.",
  },
  {
    code: "INVALID_UTF8",
    checkId: "messages-utf8",
    strength: "MUST",
    reference: spec("Transports", "basic/transports"),
    since: "2025-03-26",
    breaksClients: false,
    hint: "Encode messages as UTF-8, and binary data as base64.",
  },
  {
    code: "EVENT_IGNORED",
    checkId: "readiness-sse-event-type",
    strength: "SHOULD",
    reference: sending,
    transports: ["streamable-http", "sse"],
    breaksClients: true,
    hint: 'Leave the event\'s type out, or make it "message".',
  },
  {
    code: "RESULT_ON_ERROR_STATUS",
    checkId: "readiness-result-status",
    strength: "SHOULD",
    reference: { title: "HTTP: status codes", url: "https://www.rfc-editor.org/rfc/rfc9110#section-15.5" },
    transports: ["streamable-http"],
    breaksClients: true,
    hint: "Answer a result with 200; clients take an error status for a failed request and do not read on.",
  },
  {
    code: "UNKNOWN_ID",
    checkId: "error-id-echo",
    strength: "MUST",
    reference: responses,
    breaksClients: false,
    hint: "Answer each request under its own id, in the same type, and nothing that was not asked.",
  },
  {
    code: "DUPLICATE_ANSWER",
    checkId: "answers-once",
    strength: "MUST",
    reference: {
      title: "JSON-RPC: response object",
      url: "https://www.jsonrpc.org/specification#response_object",
    },
    breaksClients: false,
    hint: "Answer each request once.",
  },
  {
    code: "MALFORMED",
    checkId: "stdio-clean-stdout",
    strength: "MUST",
    reference: stdio,
    transports: ["stdio"],
    breaksClients: false,
    hint: "Send logs to stderr; some hosts give up at the first such line.",
  },
  {
    code: "MALFORMED",
    checkId: "wire-schema-valid",
    strength: "MUST",
    reference: spec("Messages", "basic#messages"),
    transports: ["streamable-http", "sse"],
    breaksClients: false,
    hint: "Every message is one JSON object with jsonrpc, id, and result or error.",
  },
  {
    code: "LINE_NOT_ENDED",
    checkId: "stdio-clean-stdout",
    strength: "MUST",
    reference: stdio,
    transports: ["stdio"],
    breaksClients: true,
    hint: "End every message with a newline, and flush stdout after it.",
  },
  {
    code: "LOG_UNDECLARED",
    checkId: "logging-declared",
    strength: "MUST",
    reference: spec("Logging: capabilities", "server/utilities/logging#capabilities"),
    breaksClients: false,
    hint: 'Declare the "logging" capability, or send no notifications/message.',
  },
  {
    code: "PROGRESS_UNASKED",
    checkId: "progress-token-known",
    strength: "MUST",
    reference: spec("Progress: behavior requirements", "basic/utilities/progress#behavior-requirements"),
    breaksClients: false,
    hint: "Send progress only for a token that a running request brought in _meta.progressToken, unchanged.",
  },
  {
    code: "REQUEST_UNDECLARED",
    checkId: "client-capabilities-respected",
    strength: "MUST",
    reference: spec("Operation", "basic/lifecycle#operation"),
    since: "2025-06-18",
    era: "stateful",
    breaksClients: false,
    hint: "Look at the client's capabilities before asking it anything, and do without what it does not offer.",
  },
  {
    code: "REQUEST_IN_STATELESS",
    checkId: "modern-no-independent-requests-on-stream",
    strength: "MUST",
    reference: spec(
      "Receiving messages",
      "basic/transports/streamable-http#receiving-messages",
      "2026-07-28",
    ),
    era: "stateless",
    breaksClients: false,
    hint: "Ask the client by an input_required result; this revision has no requests of the server.",
  },
  {
    code: "UNKNOWN_RESULT_TYPE",
    checkId: "result-type-known",
    strength: "MUST",
    reference: spec("ResultType", "basic#resulttype", "2026-07-28"),
    era: "stateless",
    breaksClients: true,
    hint: 'Answer with "complete" or "input_required"; another type only to a client that declares its extension.',
  },
  {
    code: "SESSION_IN_STATELESS",
    checkId: "modern-no-session-id",
    strength: "SHOULD",
    reference: spec("Streamable HTTP", "basic/transports/streamable-http", "2026-07-28"),
    era: "stateless",
    breaksClients: false,
    hint: "Send no Mcp-Session-Id: nobody sends it back.",
  },
  {
    code: "STREAM_LEFT_OPEN",
    checkId: "readiness-stream-ends",
    strength: "SHOULD",
    reference: sending,
    transports: ["streamable-http"],
    breaksClients: false,
    hint: "End the event stream after the answer; each one left open holds a connection.",
  },
  {
    code: "ORIGIN_LEFT",
    checkId: "readiness-redirect-origin",
    strength: "MAY",
    reference: sending,
    transports: ["streamable-http"],
    breaksClients: false,
    hint: "Give out the address that answers; many clients do not follow to another origin, and none may take credentials along.",
  },
];

/** Which rules a conversation broke, each once. What breaks none of the revision at hand is left out. */
export function judgeWire(problems: readonly WireProblem[], facts: WireFacts): WireFault[] {
  return wireRules.flatMap((rule) => {
    const seen = problems.filter(({ code }) => code === rule.code);
    const [problem] = seen;
    return problem && binds(rule, facts) ? [{ rule, problem, times: seen.length }] : [];
  });
}

function binds({ since, allowedIn, era, transports }: WireRule, { version, transport }: WireFacts): boolean {
  return (
    (since === undefined || version >= since) &&
    version !== allowedIn &&
    (era === undefined || eraOfVersion(version) === era) &&
    (transports === undefined || transports.includes(transport))
  );
}
