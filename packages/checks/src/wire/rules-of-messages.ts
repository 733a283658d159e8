/** @module Rules of what messages say: ids, answers, notifications, progress, names, results and icons. */
import { everyRevision, from, spec, stateful, stateless } from "../verdict/specification.ts";
import { standard, type WireRule } from "./wire-rule.ts";

const responses = [
  ...spec("MUST", ["2024-11-05"], "Responses", "basic/messages#responses"),
  ...spec("MUST", from("2025-03-26"), "Responses", "basic#responses"),
];
export const rulesOfMessages: readonly WireRule[] = [
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
    code: "CAPABILITY_NOT_SERVED",
    checkId: "capabilities-consistent",
    // That what is declared must be served is said from 2026-07-28 on.
    rules: [
      ...spec("inferred", stateful, "Capabilities", "server/tools#capabilities"),
      ...spec("MUST", stateless, "Capabilities", "server/tools#capabilities"),
    ],
    breaksClients: false,
    hint: "Declare only the capabilities that the server serves, or answer with an empty list.",
  },
  {
    code: "NOTIFICATION_UNDECLARED",
    checkId: "notifications-declared",
    rules: [
      ...spec("MUST", from("2025-06-18", stateful), "Operation", "basic/lifecycle#operation"),
      ...spec("inferred", stateless, "Capabilities", "server/tools#capabilities"),
    ],
    breaksClients: false,
    hint: "Declare the capability, or send no such notification; clients that heed the capabilities do not listen for it.",
  },
  {
    code: "NOTIFICATION_WITH_ID",
    checkId: "notifications-without-id",
    rules: [
      ...spec("MUST", ["2024-11-05"], "Notifications", "basic/messages#notifications"),
      ...spec("MUST", from("2025-03-26"), "Notifications", "basic#notifications"),
    ],
    breaksClients: false,
    hint: "Leave the id out; with one, clients take the notification for a request and answer that they do not know it.",
  },
  {
    code: "NOTIFICATION_STORM",
    checkId: "readiness-notification-rate",
    rules: [
      ...spec("SHOULD", stateful, "Implementation notes", "basic/utilities/progress#implementation-notes"),
      ...spec("SHOULD", stateless, "Implementation notes", "basic/patterns/progress#implementation-notes"),
    ],
    breaksClients: false,
    hint: "Send a notification a few times a second at most, and join what happens in between into one.",
  },
  {
    code: "PROGRESS_NOT_RISING",
    checkId: "progress-rises",
    rules: [
      ...spec("MUST", stateful, "Progress", "basic/utilities/progress#behavior-requirements"),
      ...spec("MUST", stateless, "Progress", "basic/patterns/progress#behavior-requirements"),
    ],
    breaksClients: false,
    hint: "Raise progress with each notification, also where the total is not known.",
  },
  {
    code: "PROGRESS_AFTER_ANSWER",
    checkId: "progress-stops",
    rules: [
      ...spec("MUST", stateful, "Implementation notes", "basic/utilities/progress#implementation-notes"),
      ...spec("MUST", stateless, "Implementation notes", "basic/patterns/progress#implementation-notes"),
    ],
    breaksClients: false,
    hint: "Stop reporting progress before the answer is sent; a timer that goes on is the usual cause.",
  },
  {
    code: "ICON_UNSAFE",
    checkId: "readiness-icon-addresses",
    rules: spec("inferred", from("2025-11-25"), "icons", "basic#icons"),
    breaksClients: false,
    hint: "Serve the icon over HTTPS, or write it as data:image/png;base64,…; clients must reject everything else.",
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
    code: "INPUT_SCHEMA_INVALID",
    checkId: "tools-input-schemas-valid",
    rules: [
      ...spec("schema", ["2024-11-05", "2025-03-26", "2025-06-18"], "Tool", "server/tools#tool"),
      ...spec("MUST", from("2025-11-25"), "Tool", "server/tools#tool"),
    ],
    part: "tools",
    breaksClients: true,
    hint: "Correct the schema; some hosts drop such a tool, some the whole server.",
  },
  {
    code: "INPUT_SCHEMA_ADVISED",
    checkId: "tools-input-schemas-valid",
    rules: spec("SHOULD", everyRevision, "Tool", "server/tools#tool"),
    part: "tools",
    breaksClients: false,
    hint: "Let every reference lead to a schema that describes something; a circle of references lets any value pass.",
  },
  {
    code: "INPUT_SCHEMA_OUTSIDE",
    checkId: "tools-input-schemas-valid",
    rules: spec("inferred", everyRevision, "Tool", "server/tools#tool"),
    part: "tools",
    breaksClients: false,
    hint: "Copy what the reference leads to into $defs; hosts do not fetch other documents.",
  },
  {
    code: "PROMPT_ROLE_UNKNOWN",
    checkId: "wire-schema-valid",
    rules: spec("schema", everyRevision, "Getting a prompt", "server/prompts#getting-a-prompt"),
    part: "prompts",
    breaksClients: true,
    hint: "Give each message the role user or assistant; instructions go into the first message of the user.",
  },
  {
    code: "CONTENT_WITHOUT_TYPE",
    checkId: "wire-schema-valid",
    rules: spec("schema", everyRevision, "Tool result", "server/tools#tool-result"),
    part: "tools",
    breaksClients: true,
    hint: "Name the type of the data, such as image/png; clients that check the shape drop the result.",
  },
  {
    code: "RESULT_WITHOUT_CONTENT",
    checkId: "wire-schema-valid",
    rules: spec("schema", everyRevision, "Tool result", "server/tools#tool-result"),
    part: "tools",
    breaksClients: true,
    hint: "Send a content array with every result, also an empty one; clients that check the shape drop the result.",
  },
];
