/** @module Rules of how messages are sent: packing, bytes, headers, streams, pipes and sessions. */
import type { RuleWord } from "@fettle/contract/servers";
import type { Rule } from "../verdict/rule.ts";
import { from, spec, stateful, statefulHttp, stateless } from "../verdict/specification.ts";
import { standard, type WireRule } from "./wire-rule.ts";

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

export const rulesOfSending: readonly WireRule[] = [
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
    code: "SESSION_GUESSABLE",
    checkId: "session-ids-unpredictable",
    rules: [
      ...spec(
        "SHOULD",
        ["2025-03-26", "2025-06-18"],
        "Session management",
        "basic/transports#session-management",
      ),
      ...spec("MUST", ["2025-11-25"], "Session hijacking", "basic/security_best_practices#session-hijacking"),
    ],
    transports: ["streamable-http"],
    breaksClients: false,
    hint: "Use a random UUID for each session ID, such as crypto.randomUUID(); anyone who guesses an ID takes over the session.",
  },
  {
    code: "MESSAGE_ON_STDERR",
    checkId: "answers-on-stdout",
    // Only a request that got no answer on stdout is told of, and JSON-RPC demands one for each.
    rules: standard(
      "MUST",
      "JSON-RPC: response object",
      "https://www.jsonrpc.org/specification#response_object",
      "JSON-RPC 2.0",
    ),
    transports: ["stdio"],
    breaksClients: true,
    hint: "Write every message to stdout; stderr is for logs, and no client looks for answers there.",
  },
  {
    code: "COMPRESSED_UNLABELED",
    checkId: "body-encoding-labeled",
    rules: standard(
      "MUST",
      "HTTP: Content-Encoding",
      "https://www.rfc-editor.org/rfc/rfc9110#section-8.4",
      "RFC 9110",
    ),
    transports: ["streamable-http"],
    breaksClients: true,
    hint: "Send Content-Encoding with every compressed body; a proxy that strips the header is the usual cause.",
  },
  {
    code: "CONTENT_LENGTH_TOO_LONG",
    checkId: "content-length-right",
    rules: standard(
      "MUST",
      "HTTP: Content-Length",
      "https://www.rfc-editor.org/rfc/rfc9110#section-8.6",
      "RFC 9110",
    ),
    transports: ["streamable-http"],
    breaksClients: true,
    hint: "Count bytes, not characters, and count after compressing; better leave Content-Length to the framework.",
  },
  {
    code: "JSON_AS_EVENT_STREAM",
    checkId: "event-stream-labeled",
    rules: sending("MUST"),
    transports: ["streamable-http"],
    breaksClients: true,
    hint: "Label a JSON body application/json, or write it as an event: data: …, with a blank line behind.",
  },
  {
    code: "EVENT_NOT_ENDED",
    checkId: "readiness-events-ended",
    rules: sending("SHOULD"),
    transports: ["streamable-http"],
    breaksClients: true,
    hint: "Write a blank line after each event, and flush it before the stream ends; without it clients drop the event.",
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
