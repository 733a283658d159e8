/**
 * @module Pages of the specification and the headings on them that rules point at, as they were read. Tests have no network:
 * whoever points a rule at another place looks it up first, then writes it down here.
 */

const specification = "https://modelcontextprotocol.io/specification";

const stateful = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const every = [...stateful, "2026-07-28"];
const since = (first: string, revisions: readonly string[] = every) =>
  revisions.filter((revision) => revision >= first);

/** A page, headings on it, and the revisions that have them; an empty heading is the page itself. */
type Row = [page: string, headings: readonly string[], revisions: readonly string[]];

const rows: readonly Row[] = [
  ["basic/messages", ["", "notifications", "requests", "responses"], ["2024-11-05"]],
  ["basic", ["messages", "notifications", "requests", "responses", "schema"], since("2025-03-26")],
  ["basic", ["meta"], since("2025-06-18")],
  ["basic", ["icons", "schema-dialect", "schema-validation"], since("2025-11-25")],
  ["basic", ["error-codes", "resulttype", "statelessness"], since("2026-07-28")],
  ["basic/lifecycle", ["initialization", "shutdown", "version-negotiation"], stateful],
  ["basic/lifecycle", ["operation"], since("2025-06-18", stateful)],
  ["basic/transports", [""], since("2025-03-26")],
  ["basic/utilities/ping", ["behavior-requirements"], stateful],
  ["basic/utilities/cancellation", ["behavior-requirements"], stateful],
  ["basic/utilities/progress", ["behavior-requirements", "implementation-notes"], stateful],
  ["basic/transports", ["stdio"], stateful],
  ["basic/transports", ["protocol-version-header"], since("2025-06-18", stateful)],
  ["basic/transports", ["http-with-sse"], ["2024-11-05"]],
  [
    "basic/transports",
    [
      "listening-for-messages-from-the-server",
      "resumability-and-redelivery",
      "security-warning",
      "sending-messages-to-the-server",
      "session-management",
    ],
    since("2025-03-26", stateful),
  ],
  ["basic/security_best_practices", ["session-hijacking"], ["2025-11-25"]],
  ["client/sampling", [""], stateful],
  ["client/elicitation", [""], since("2025-06-18", stateful)],
  ["client/sampling", ["tools-in-sampling"], since("2025-11-25")],
  ["client/elicitation", ["requested-schema"], ["2025-11-25"]],
  ["client/elicitation", ["error-handling"], since("2026-07-28")],
  ["client/elicitation", ["form-mode-security"], since("2025-11-25")],
  ["server/tools", ["capabilities", "error-handling", "tool", "tool-result"], every],
  ["server/tools", ["listing-tools"], stateful],
  ["server/tools", ["security-considerations"], every],
  ["server/tools", ["output-schema"], since("2025-06-18")],
  ["server/tools", ["tool-names"], since("2025-11-25")],
  ["server/tools", ["list-changed-notification", "x-mcp-header"], since("2026-07-28")],
  [
    "server/resources",
    ["error-handling", "reading-resources", "resource-templates", "security-considerations"],
    every,
  ],
  ["server/resources", ["listing-resources", "subscriptions"], stateful],
  ["server/resources", ["custom-uri-schemes"], since("2025-06-18")],
  ["server/resources", ["capabilities"], since("2026-07-28")],
  [
    "server/prompts",
    ["embedded-resources", "error-handling", "getting-a-prompt", "image-content", "promptmessage"],
    every,
  ],
  ["server/prompts", ["listing-prompts"], stateful],
  ["server/prompts", ["capabilities"], since("2026-07-28")],
  ["server/utilities/completion", ["completion-results"], every],
  [
    "server/utilities/logging",
    ["error-handling", "log-message-notifications", "setting-log-level"],
    stateful,
  ],
  ["server/utilities/logging", ["capabilities"], every],
  ["server/utilities/logging", ["per-request-log-level"], since("2026-07-28")],
  [
    "server/utilities/caching",
    ["cacheable-results", "interaction-with-pagination", "time-to-live-ttl-field"],
    since("2026-07-28"),
  ],
  ["server/discover", [""], since("2026-07-28")],
  ["deprecated", [""], since("2026-07-28")],
  ["basic/versioning", ["extension-negotiation", "protocol-version-negotiation"], since("2026-07-28")],
  [
    "basic/patterns/mrtr",
    ["", "error-handling", "inputrequiredresult", "server-requirements-basic-workflow", "supported-requests"],
    since("2026-07-28"),
  ],
  ["basic/patterns/cancellation", [""], since("2026-07-28")],
  ["basic/patterns/progress", ["behavior-requirements", "implementation-notes"], since("2026-07-28")],
  [
    "basic/patterns/subscriptions",
    ["acknowledgment", "graceful-closure", "opening-a-stream"],
    since("2026-07-28"),
  ],
  ["basic/transports/stdio", ["", "cancellation", "shutdown"], since("2026-07-28")],
  [
    "basic/transports/streamable-http",
    [
      "",
      "case-sensitivity",
      "earlier-streamable-http-revisions",
      "protocol-version-header",
      "receiving-messages",
      "sending-messages",
      "server-behavior-for-custom-headers",
      "server-validation",
      "standard-request-headers",
      "value-encoding",
    ],
    since("2026-07-28"),
  ],
  ["basic/authorization", ["error-handling", "token-handling"], since("2025-03-26")],
  ["basic/authorization", ["security-considerations"], ["2025-03-26"]],
  ["basic/authorization", ["authorization-server-location"], ["2025-06-18"]],
  ["basic/authorization", ["communication-security", "token-theft"], ["2025-06-18", "2025-11-25"]],
  [
    "basic/authorization",
    ["client-id-metadata-documents", "protected-resource-metadata-discovery-requirements"],
    ["2025-11-25"],
  ],
  ["basic/authorization", ["runtime-insufficient-scope-errors"], since("2025-11-25")],
  ["basic/authorization", ["authorization-response-validation"], since("2026-07-28")],
  [
    "basic/authorization/authorization-server-discovery",
    ["protected-resource-metadata-discovery-requirements"],
    since("2026-07-28"),
  ],
  ["basic/authorization/client-registration", ["client-id-metadata-documents"], since("2026-07-28")],
  [
    "basic/authorization/security-considerations",
    ["communication-security", "token-theft"],
    since("2026-07-28"),
  ],
  [
    "basic/utilities/tasks",
    [
      "capabilities",
      "creating-tasks",
      "protocol-errors",
      "result-retrieval",
      "task-cancellation",
      "task-status-lifecycle",
      "task-support-and-handling",
      "tool-level-negotiation",
      "ttl-and-resource-management",
    ],
    ["2025-11-25"],
  ],
];

const elsewhere: Record<string, readonly string[]> = {
  "https://www.jsonrpc.org/specification": ["response_object"],
  "https://developers.openai.com/apps-sdk/reference": [""],
  "https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2663": [""],
  "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx": [
    "content-requirements",
    "resource-discovery",
    "sandbox-proxy",
    "ui-resource-format",
  ],
  "https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/2026-07-28/tasks.md": [
    "capability-negotiation",
    "polymorphic-results",
    "protocol-errors",
    "routing-headers",
    "task-cancellation",
    "task-creation",
    "task-execution-errors",
    "task-polling",
    "task-status-notifications",
    "task-update-requests",
    "tasks",
  ],
};

/** Page to the headings that rules may point at. */
const knownPages: Record<string, readonly string[]> = { ...elsewhere };
for (const [page, headings, revisions] of rows) {
  for (const revision of revisions) {
    const address = `${specification}/${revision}/${page}`;
    knownPages[address] = [...(knownPages[address] ?? []), ...headings];
  }
}

/** Every address that is written down. */
export const knownAddresses: readonly string[] = Object.entries(knownPages).flatMap(([page, headings]) =>
  headings.map((heading) => (heading === "" ? page : `${page}#${heading}`)),
);

/** Every section of an RFC has an anchor of its number. */
const rfcSection = /^https:\/\/www\.rfc-editor\.org\/rfc\/rfc\d+#section-\d+(\.\d+)*$/;

export function isKnownAddress(url: string): boolean {
  return rfcSection.test(url) || knownAddresses.includes(url);
}
