/** @module The faults of the wire, once for all who tell of them: what was noticed, the rule it breaks and how strong that is, and what to do. */
import { must } from "@fettle/contract/formats";
import type { RuleWord } from "@fettle/contract/servers";
import type { WireKind, WireProblem, WireProblemCode } from "@fettle/mcp";
import { type Rule, ruleIn } from "../verdict/rule.ts";
import { everyRevision, from, spec, stateful, statefulHttp, stateless } from "../verdict/specification.ts";

export interface WireRule {
  code: WireProblemCode;
  /** The check or advice of the protocol suite that tells it. */
  checkId: string;
  /** The sentence in each revision that it binds. */
  rules: readonly Rule[];
  /** Every transport unless said. */
  transports?: readonly WireKind[];
  /** What it is a fault of, where that is not the connection. */
  part?: "tools";
  /** Common clients do not get the message, or stop: the server does not work with them. */
  breaksClients: boolean;
  hint: string;
}

/** What must be known of a conversation to say which rules bind it. */
export interface WireFacts {
  version: string;
  transport: WireKind;
}

/** What a command is for decides how much a fault weighs in it. */
export type Purpose =
  /** Will other clients get on with this server? The doctor, `server validate`. */
  | "use"
  /** Does it keep to the text? The conformance suites. */
  | "rules"
  /** It got its answer, and says what it saw beside it: `tools list`, `tools call`, `compat`. */
  | "answer";

/** Advice changes no verdict and no exit code. */
export type Severity = "error" | "warning" | "advice";

export interface WireFault {
  rule: WireRule;
  /** The sentence that binds this conversation. */
  said: Rule;
  /** What was seen first, and how often the like was. */
  problem: WireProblem;
  times: number;
  /** The whole sentence: of several alike, the first and how many more. */
  sentence: string;
}

/** The one place that weighs a fault of the wire. */
export function severityFor(purpose: Purpose, { rule, said }: Pick<WireFault, "rule" | "said">): Severity {
  const isBinding = said.word === "MUST" || said.word === "schema";
  if (purpose === "rules") return isBinding ? "error" : "advice";
  if (rule.breaksClients) return purpose === "use" ? "error" : "warning";
  return isBinding ? "warning" : "advice";
}

const responses = [
  ...spec("MUST", ["2024-11-05"], "Responses", "basic/messages#responses"),
  ...spec("MUST", from("2025-03-26"), "Responses", "basic#responses"),
];
const messages = [
  ...spec("MUST", ["2024-11-05"], "Messages", "basic/messages"),
  ...spec("MUST", from("2025-03-26"), "Messages", "basic#messages"),
];
const stdio = [
  ...spec("MUST", stateful, "stdio", "basic/transports#stdio"),
  ...spec("MUST", stateless, "stdio", "basic/transports/stdio"),
];

/** What the transport's page says of how messages are sent. */
const sending = (word: RuleWord): Rule[] => [
  ...spec(word, statefulHttp, "Sending messages", "basic/transports#sending-messages-to-the-server"),
  ...spec(word, stateless, "Sending messages", "basic/transports/streamable-http#sending-messages"),
];

const standard = (word: RuleWord, title: string, url: string, revision: string): Rule[] => [
  { word, title, url, revision },
];

export const wireRules: readonly WireRule[] = [
  {
    code: "BATCH_ARRAY",
    checkId: "messages-not-batched",
    rules: messages.filter(({ revision }) => revision !== "2025-03-26"),
    breaksClients: true,
    hint: "Send one JSON object for each line, body or event; batches exist in 2025-03-26 alone, and clients wait in vain for what comes in one.",
  },
  {
    code: "ACCEPTED_WITH_BODY",
    checkId: "notification-post-accepted",
    rules: spec(
      "MUST",
      statefulHttp,
      "Sending messages to the server",
      "basic/transports#sending-messages-to-the-server",
    ),
    transports: ["streamable-http"],
    breaksClients: false,
    hint: "Answer a notification with 202 and an empty body.",
  },
  {
    code: "BYTE_ORDER_MARK",
    checkId: "messages-without-byte-order-mark",
    rules: stdio,
    transports: ["stdio"],
    breaksClients: true,
    hint: "Write UTF-8 without a byte order mark; a strict parser loses the message that it stands before.",
  },
  {
    code: "BYTE_ORDER_MARK",
    checkId: "messages-without-byte-order-mark",
    rules: standard(
      "MUST",
      "JSON: character encoding",
      "https://www.rfc-editor.org/rfc/rfc8259#section-8.1",
      "RFC 8259",
    ),
    transports: ["streamable-http", "sse"],
    breaksClients: true,
    hint: "Write UTF-8 without a byte order mark; a strict parser loses the message that it stands before.",
  },
  {
    code: "INVALID_UTF8",
    checkId: "messages-utf8",
    rules: spec("MUST", from("2025-03-26"), "Transports", "basic/transports"),
    breaksClients: false,
    hint: "Encode messages as UTF-8, and binary data as base64.",
  },
  {
    code: "EVENT_IGNORED",
    checkId: "readiness-sse-event-type",
    rules: [
      ...spec("inferred", ["2024-11-05"], "HTTP with SSE", "basic/transports#http-with-sse"),
      ...sending("SHOULD"),
    ],
    transports: ["streamable-http", "sse"],
    breaksClients: true,
    hint: 'Leave the event\'s type out, or make it "message".',
  },
  {
    code: "RESULT_ON_ERROR_STATUS",
    checkId: "readiness-result-status",
    rules: standard(
      "SHOULD",
      "HTTP: status codes",
      "https://www.rfc-editor.org/rfc/rfc9110#section-15.5",
      "RFC 9110",
    ),
    transports: ["streamable-http"],
    breaksClients: true,
    hint: "Answer a result with 200; clients take an error status for a failed request and do not read on.",
  },
  {
    code: "UNKNOWN_ID",
    checkId: "error-id-echo",
    rules: responses,
    breaksClients: false,
    hint: "Answer each request under its own id, in the same type, and nothing that was not asked.",
  },
  {
    code: "DUPLICATE_ANSWER",
    checkId: "answers-once",
    rules: standard(
      "MUST",
      "JSON-RPC: response object",
      "https://www.jsonrpc.org/specification#response_object",
      "JSON-RPC 2.0",
    ),
    breaksClients: false,
    hint: "Answer each request once.",
  },
  {
    code: "MALFORMED",
    checkId: "stdio-clean-stdout",
    rules: stdio,
    transports: ["stdio"],
    breaksClients: false,
    hint: "Send logs to stderr; some hosts give up at the first such line.",
  },
  {
    code: "MALFORMED",
    checkId: "wire-schema-valid",
    rules: messages,
    transports: ["streamable-http", "sse"],
    breaksClients: false,
    hint: "Every message is one JSON object with jsonrpc, id, and result or error.",
  },
  {
    code: "SPREAD_OUT",
    checkId: "stdio-clean-stdout",
    rules: stdio,
    transports: ["stdio"],
    breaksClients: true,
    hint: "Write each message on one line, without newlines inside it.",
  },
  {
    code: "LINE_NOT_ENDED",
    checkId: "stdio-clean-stdout",
    rules: stdio,
    transports: ["stdio"],
    breaksClients: true,
    hint: "End every message with a newline, and flush stdout after it.",
  },
  {
    code: "LOG_UNDECLARED",
    checkId: "logging-declared",
    rules: spec("MUST", everyRevision, "Capabilities", "server/utilities/logging#capabilities"),
    breaksClients: false,
    hint: 'Declare the "logging" capability, or send no notifications/message.',
  },
  {
    code: "PROGRESS_UNASKED",
    checkId: "progress-token-known",
    rules: [
      ...spec("MUST", stateful, "Progress", "basic/utilities/progress#behavior-requirements"),
      ...spec("MUST", stateless, "Progress", "basic/patterns/progress#behavior-requirements"),
    ],
    breaksClients: false,
    hint: "Send progress only for a token that a running request brought in _meta.progressToken, unchanged.",
  },
  {
    code: "REQUEST_UNDECLARED",
    checkId: "client-capabilities-respected",
    rules: spec("MUST", from("2025-06-18", stateful), "Operation", "basic/lifecycle#operation"),
    breaksClients: false,
    hint: "Look at the client's capabilities before asking it anything, and do without what it does not offer.",
  },
  {
    code: "REQUEST_IN_STATELESS",
    checkId: "modern-no-independent-requests-on-stream",
    rules: spec(
      "MUST",
      stateless,
      "Receiving messages",
      "basic/transports/streamable-http#receiving-messages",
    ),
    breaksClients: false,
    hint: "Ask the client by an input_required result; this revision has no requests of the server.",
  },
  {
    code: "UNKNOWN_RESULT_TYPE",
    checkId: "result-type-known",
    rules: spec("MUST", stateless, "resultType", "basic#resulttype"),
    breaksClients: true,
    hint: 'Answer with "complete" or "input_required"; another type only to a client that declares its extension.',
  },
  {
    code: "SESSION_IN_STATELESS",
    checkId: "modern-no-session-id",
    rules: spec(
      "SHOULD",
      stateless,
      "Earlier Streamable HTTP revisions",
      "basic/transports/streamable-http#earlier-streamable-http-revisions",
    ),
    breaksClients: false,
    hint: "Send no Mcp-Session-Id: nobody sends it back.",
  },
  {
    code: "STREAM_LEFT_OPEN",
    checkId: "readiness-stream-ends",
    rules: sending("SHOULD"),
    transports: ["streamable-http"],
    breaksClients: false,
    hint: "End the event stream after the answer; each one left open holds a connection.",
  },
  {
    code: "DUPLICATE_TOOL_NAME",
    checkId: "tools-names-unique",
    rules: [
      ...spec("inferred", ["2024-11-05", "2025-03-26", "2025-06-18"], "Tool", "server/tools#tool"),
      ...spec("SHOULD", from("2025-11-25"), "Tool names", "server/tools#tool-names"),
    ],
    part: "tools",
    breaksClients: true,
    hint: "Give every tool a name of its own; hosts drop one of the two or refuse the whole list.",
  },
  {
    code: "TOOL_NAME_NOT_PLAIN",
    checkId: "tools-name-format",
    rules: [
      ...spec("inferred", ["2024-11-05", "2025-03-26", "2025-06-18"], "Tool", "server/tools#tool"),
      ...spec("SHOULD", from("2025-11-25"), "Tool names", "server/tools#tool-names"),
    ],
    part: "tools",
    breaksClients: true,
    hint: "Use letters, digits, _ and -, at most 64 of them; some hosts refuse every request while another name is offered.",
  },
  {
    code: "RESULT_WITHOUT_CONTENT",
    checkId: "wire-schema-valid",
    rules: spec("schema", everyRevision, "Tool result", "server/tools#tool-result"),
    part: "tools",
    breaksClients: true,
    hint: "Send a content array with every result, also an empty one; clients that check the shape drop the result.",
  },
  {
    code: "RESOURCE_METADATA_INVALID",
    checkId: "oauth_resource_metadata_challenge",
    rules: spec("MUST", from("2025-06-18"), "Authorization server location", "basic/authorization"),
    transports: ["streamable-http", "sse"],
    breaksClients: false,
    hint: 'Write the whole address: resource_metadata="https://…/.well-known/oauth-protected-resource".',
  },
  {
    code: "ORIGIN_LEFT",
    checkId: "readiness-redirect-origin",
    rules: sending("inferred"),
    transports: ["streamable-http"],
    breaksClients: false,
    hint: "Give out the address that answers; many clients do not follow to another origin, and none may take credentials along.",
  },
];

/** The rule of a fault that has one; of several, by transport, the first. */
export function wireRuleFor(code: WireProblemCode): WireRule {
  return must(
    wireRules.find((rule) => rule.code === code),
    `the rule for ${code}`,
  );
}

/** Which rules a conversation broke, each once. What breaks none of the revision at hand is left out. */
export function judgeWire(problems: readonly WireProblem[], facts: WireFacts): WireFault[] {
  return wireRules.flatMap((rule) => {
    const seen = problems.filter(({ code }) => code === rule.code);
    const [problem] = seen;
    const said = sentenceFor(rule, facts);
    if (!problem || !said) return [];
    const others = new Set(seen.map(({ message }) => message)).size - 1;
    const more = others > 0 ? ` (and ${others} more)` : "";
    const sentence = problem.message.replace(/\.$/, `${more}.`);
    return [{ rule, said, problem, times: seen.length, sentence }];
  });
}

function sentenceFor({ rules, transports }: WireRule, { version, transport }: WireFacts): Rule | undefined {
  return transports === undefined || transports.includes(transport) ? ruleIn(rules, version) : undefined;
}
