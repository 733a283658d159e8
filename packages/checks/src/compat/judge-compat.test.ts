/** @module The rules of compatibility, one made-up server after another. */
import { loadHosts, parseTarget, type Tool } from "@fettle/mcp";
import { describe, expect, test } from "vitest";
import { factsOf, type HostFacts } from "./host-facts.ts";
import { judgeCompat } from "./judge-compat.ts";
import { addressReach, type CompatObservations, type VersionReading } from "./observe-compat.ts";

const hosts = (await loadHosts()).map(factsOf);

const tool = (name: string, more: Record<string, unknown> = {}): Tool => ({
  name,
  inputSchema: { type: "object" },
  ...more,
});
const accepted = (...versions: string[]): VersionReading[] =>
  versions.map((version) => ({ version, is: "accepted" }));
const all = accepted("2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28");

const server = (more: Partial<CompatObservations> = {}): CompatObservations => ({
  transport: "streamable-http",
  address: "public",
  serverName: "shop",
  protocolVersion: "2026-07-28",
  versions: all,
  tools: { items: [tool("search")], truncated: false },
  widgets: [],
  askedUndeclared: [],
  ...more,
});
const offering = (...items: Tool[]) => server({ tools: { items, truncated: false } });

const uri = "ui://shop/page.html";
const widget = (
  source: string,
  meta = {},
  toolMeta: Record<string, unknown> = { ui: { resourceUri: uri } },
) =>
  server({
    tools: { items: [tool("show", { _meta: toolMeta })], truncated: false },
    widgets: [{ uri, source, meta }],
  });

/** Verdict and codes of one host. */
function on(hostId: string, observed: CompatObservations, using: readonly HostFacts[] = hosts) {
  const found = judgeCompat(observed, using).hosts.find((host) => host.hostId === hostId);
  return [
    found?.verdict,
    found?.findings.map(({ code, capability }) => [code, capability ?? ""].join(" ").trim()),
  ];
}

test("a plain server works on all sixteen hosts", () => {
  const { summary, unknownDimensions } = judgeCompat(server(), hosts);
  expect(summary).toEqual({ works: 16, unknown: 0, degraded: 0, blocked: 0 });
  expect(unknownDimensions).toEqual([]);
});

test.each<[string, string, CompatObservations, string, string[]]>([
  [
    "a dot in a name ends every session",
    "claude",
    offering(tool("shop.search")),
    "blocked",
    ["tool_name_rejected"],
  ],
  [
    "a dot in a name loses the tool",
    "claude-code",
    offering(tool("shop.search")),
    "degraded",
    ["tool_name_rejected"],
  ],
  ["65 characters are too many", "claude", offering(tool("a".repeat(65))), "blocked", ["tool_name_too_long"]],
  ["64 characters are not", "claude", offering(tool("a".repeat(64))), "works", []],
  ["the prefix counts", "claude-code", offering(tool("a".repeat(118))), "degraded", ["tool_name_too_long"]],
  ["up to the limit", "claude-code", offering(tool("a".repeat(117))), "works", []],
  ["server and tool together", "cursor", offering(tool("a".repeat(56))), "degraded", ["tool_name_too_long"]],
  [
    "a name too long for the directory",
    "chatgpt",
    offering(tool("a".repeat(65))),
    "degraded",
    ["tool_name_too_long"],
  ],
  ["forty tools are sent", "cursor", offering(...names(40)), "works", []],
  ["the forty-first is not", "cursor", offering(...names(41)), "degraded", ["tool_count_exceeded"]],
  ["more than a request holds", "vscode", offering(...names(129)), "degraded", ["tool_count_exceeded"]],
  [
    "a root oneOf",
    "claude",
    offering(tool("x", { inputSchema: { type: "object", oneOf: [] } })),
    "blocked",
    ["schema_top_level_composition"],
  ],
  [
    "a root oneOf elsewhere",
    "goose",
    offering(tool("x", { inputSchema: { type: "object", oneOf: [] } })),
    "works",
    [],
  ],
  [
    "a process where none is started",
    "copilot",
    server({ transport: "stdio" }),
    "blocked",
    ["transport_unsupported"],
  ],
  [
    "a process where only those of approved partners are started",
    "chatgpt",
    server({ transport: "stdio" }),
    "unknown",
    ["transport_by_agreement"],
  ],
  [
    "an address of this machine, where no source says that it is out of reach",
    "chatgpt",
    server({ address: "private" }),
    "unknown",
    ["reach_unknown"],
  ],
  [
    "a process where it is not known whether any is started",
    "notion",
    server({ transport: "stdio" }),
    "unknown",
    ["reach_unknown"],
  ],
  ["a process where processes are started", "cursor", server({ transport: "stdio" }), "works", []],
  [
    "an address of this machine",
    "claude",
    server({ address: "private" }),
    "blocked",
    ["address_unreachable"],
  ],
  ["an address of this machine, on this machine", "cursor", server({ address: "private" }), "works", []],
  [
    "an address of this machine, and nobody knows",
    "slack",
    server({ address: "private" }),
    "unknown",
    ["reach_unknown"],
  ],
  ["an address without TLS", "chatgpt", server({ address: "plain" }), "unknown", ["reach_unknown"]],
  ["the old transport", "claude", server({ transport: "sse", address: "public" }), "works", []],
  [
    "the old transport, and nobody knows",
    "mistral",
    server({ transport: "sse", address: "public" }),
    "unknown",
    ["reach_unknown"],
  ],
  [
    "annotations nobody reads are no harm",
    "copilot",
    offering(tool("x", { annotations: { destructiveHint: true } })),
    "works",
    ["annotations_ignored"],
  ],
  [
    "tasks only",
    "claude",
    offering(tool("x", { execution: { taskSupport: "required" } })),
    "unknown",
    ["client_capability_unknown tasks"],
  ],
  [
    "tasks only, on a host that is known to call them so",
    "fettle",
    offering(tool("x", { execution: { taskSupport: "required" } })),
    "works",
    [],
  ],
  [
    "tasks only, where they are known",
    "vscode",
    offering(tool("x", { execution: { taskSupport: "required" } })),
    "works",
    [],
  ],
  [
    "roots asked of everyone",
    "claude",
    server({ askedUndeclared: ["roots/list"] }),
    "degraded",
    ["client_capability_missing roots"],
  ],
  ["roots asked of a host that has them", "goose", server({ askedUndeclared: ["roots/list"] }), "works", []],
])("%s (%s)", (_what, host, observed, verdict, codes) => {
  expect(on(host, observed)).toEqual([verdict, codes]);
});

test.each([
  ["http://127.0.0.1:3000/mcp", "private"],
  ["http://[::1]:3000/mcp", "private"],
  ["https://10.1.2.3/mcp", "private"],
  ["https://192.168.0.4/mcp", "private"],
  ["http://localhost/mcp", "private"],
  ["https://shop.localhost./mcp", "private"],
  ["https://intranet/mcp", "private"],
  ["https://nas.local/mcp", "private"],
  ["https://169.254.169.254/mcp", "private"],
  ["http://shop.example.com/mcp", "plain"],
  ["https://shop.example.com/mcp", "public"],
  ["https://93.184.216.34/mcp", "public"],
])("%s is %s", (url, reach) => {
  expect(addressReach(parseTarget({ url }))).toBe(reach);
});

function names(count: number): Tool[] {
  return Array.from({ length: count }, (_, index) => tool(`t${index}`));
}

describe("protocol versions", () => {
  test("an older counter-offer is negotiated, a newer one leaves the question open", () => {
    const old = server({
      protocolVersion: "2024-11-05",
      versions: [
        ...accepted("2024-11-05"),
        { version: "2025-11-25", is: "countered", answered: "2024-11-05" },
      ],
    });
    expect(on("cursor", old)).toEqual(["works", ["protocol_version_negotiated"]]);
    const newer = server({
      protocolVersion: "2025-11-25",
      versions: [
        ...accepted("2025-11-25"),
        { version: "2025-03-26", is: "countered", answered: "2025-11-25" },
      ],
    });
    expect(on("goose", newer)).toEqual(["unknown", ["protocol_version_mismatch"]]);
    expect(on("fettle", old)).toEqual(["works", []]);
  });

  test("a server that shakes no hands is blocked where nothing else is spoken", () => {
    const stateless = server({
      versions: [...accepted("2026-07-28"), { version: "2025-11-25", is: "refused", why: "no" }],
    });
    expect(on("cursor", stateless)).toEqual(["blocked", ["protocol_version_mismatch"]]);
    expect(on("claude", stateless)).toEqual(["works", []]);
  });

  test("a version that could not be tried is unknown, never a mismatch", () => {
    const unsure = server({
      versions: [...accepted("2026-07-28"), { version: "2025-11-25", is: "unknown", why: "timed out" }],
    });
    expect(on("cursor", unsure)).toEqual(["unknown", []]);
    expect(on("chatgpt", unsure)).toEqual(["works", []]);
    expect(judgeCompat(unsure, hosts).unknownDimensions).toEqual(["protocol-versions"]);
  });

  test("one that was pinned is compared as it is", () => {
    const pinned = server({ protocolVersion: "2025-06-18", versions: accepted("2025-06-18") });
    expect(on("slack", pinned)).toEqual(["works", []]);
    expect(on("cursor", pinned)).toEqual(["works", ["protocol_version_negotiated"]]);
  });
});

describe("widgets", () => {
  test("text is what is left where widgets are not shown", () => {
    expect(on("cline", widget("<p>"))).toEqual(["degraded", ["widget_text_fallback"]]);
    expect(on("goose", widget("<p>"))).toEqual(["works", []]);
  });

  test("an app-only tool without its widget is out of reach", () => {
    const meta = { ui: { resourceUri: uri, visibility: ["app"] } };
    expect(on("cline", widget("<p>", {}, meta))).toEqual(["blocked", ["app_only_unrenderable"]]);
    expect(on("cursor", widget("<p>", {}, meta))).toEqual(["works", ["visibility_ignored"]]);
  });

  test("each dialect is shown by its own hosts", () => {
    const openai = widget("<p>", {}, { "openai/outputTemplate": uri });
    expect(on("chatgpt", openai)).toEqual(["works", []]);
    expect(on("claude", openai)).toEqual(["degraded", ["widget_text_fallback"]]);
    const dual = widget("<p>", {}, { "openai/outputTemplate": uri, "ui/resourceUri": uri });
    expect(on("claude", dual)).toEqual(["works", []]);
  });

  test("what the source uses is held against what the host can do", () => {
    const busy = widget("app.callTool(); openai.getFileDownloadUrl(); send('notifications/message')");
    expect(on("goose", busy)).toEqual([
      "degraded",
      [
        "capability_unsupported serverTools",
        "capability_unsupported downloadFile",
        "capability_unsupported logging",
      ],
    ]);
    expect(on("goose", widget("send('notifications/message')"))[0]).toBe("works");
    const modal = widget("openai.requestModal()", {}, { "openai/outputTemplate": uri });
    expect(on("codex", modal)).toEqual(["degraded", ["capability_unsupported openai.requestModal"]]);
    expect(on("chatgpt", modal)).toEqual(["works", []]);
  });

  test("permissions are compared by name", () => {
    const asks = widget("<p>", { ui: { permissions: { microphone: {}, clipboardWrite: {} } } });
    expect(on("chatgpt", asks)).toEqual(["works", []]);
    expect(on("claude", asks)).toEqual(["degraded", ["capability_unsupported sandboxPermissions"]]);
    expect(on("codex", asks)[0]).toBe("degraded");
  });

  test("frames are declared, not scanned", () => {
    const framed = widget("<p>", { ui: { csp: { frameDomains: ["https://maps.example"] } } });
    expect(on("claude", framed)).toEqual(["degraded", ["capability_unsupported cspFrameDomains"]]);
    expect(on("chatgpt", framed)).toEqual(["works", []]);
  });

  test("a widget nobody could read leaves its hosts unknown", () => {
    const unread = { ...widget("<p>"), widgets: [{ uri, fault: "gone" }] };
    expect(on("claude", unread)).toEqual(["unknown", []]);
    expect(on("cline", unread)).toEqual(["degraded", ["widget_text_fallback"]]);
    expect(judgeCompat(unread, hosts).unknownDimensions).toEqual(["widgets"]);
  });
});

test("nothing works on the strength of a list that was cut or never came; what is worse stays", () => {
  const cut = server({ tools: { items: [tool("shop.search")], truncated: true } });
  expect(judgeCompat(cut, hosts)).toMatchObject({
    unknownDimensions: ["tool-list-truncated"],
    summary: { works: 0, unknown: 14, degraded: 1, blocked: 1 },
  });
  const none = server({ tools: { fault: "500" } });
  expect(judgeCompat(none, hosts).summary).toMatchObject({ works: 0, unknown: 16 });
});

test("every finding says what was seen and where the fact about the host stands", () => {
  const [claude] = judgeCompat(
    offering(tool("shop.search")),
    hosts.filter(({ id }) => id === "claude"),
  ).hosts;
  expect(claude?.findings).toMatchObject([
    {
      lane: "server",
      severity: "blocker",
      tools: ["shop.search"],
      evidence: { pattern: "^[a-zA-Z0-9_-]{1,64}$" },
      provenance: "probe",
      confidence: "high",
      sources: [{ date: "2026-04-23" }, { date: "2026-03-18" }, { date: "2026-08-05" }],
    },
  ]);
});

test("a verdict says how sure it is, and what is degraded does not hide what is unknown", () => {
  const of = (observed: CompatObservations, id: string) => {
    const found = judgeCompat(observed, hosts).hosts.find(({ hostId }) => hostId === id);
    return [found?.verdict, found?.confidence, found?.hasUnknowns];
  };
  // Reached in a way that is only assumed of the host.
  const local = server({ address: "private" });
  expect(of(local, "claude-code")).toEqual(["works", "low", false]);
  expect(of(server(), "claude-code")).toEqual(["works", "high", false]);
  expect(of(local, "fettle")).toEqual(["works", "high", false]);
  const old = server({ protocolVersion: "2025-06-18", versions: accepted("2025-06-18") });
  expect(of(old, "cursor")).toEqual(["works", "medium", false]);
  const cut = server({ tools: { items: names(41), truncated: true } });
  expect(of(cut, "cursor")).toMatchObject(["degraded", expect.any(String), true]);
  expect(of(cut, "claude")).toEqual(["unknown", "low", true]);
});

test("what is only assumed of a host blocks nothing, and leaves the question open", () => {
  const assumed = hosts.map((host) =>
    host.id === "copilot" && host.reach
      ? { ...host, reach: { ...host.reach, confidence: "low" as const } }
      : host,
  );
  const remote = judgeCompat(server({ transport: "stdio" }), assumed).hosts.find(
    ({ hostId }) => hostId === "copilot",
  );
  expect(remote).toMatchObject({
    verdict: "unknown",
    confidence: "low",
    findings: [
      { code: "transport_unsupported", severity: "info", detail: expect.stringContaining("no source") },
    ],
  });
  expect(on("copilot", server({ transport: "stdio" }))[0]).toBe("blocked");
});

test("nothing is of high confidence where the server's own part is unknown", () => {
  const reached = { ...widget("<p>"), transport: "stdio" as const };
  const found = judgeCompat(reached, hosts).hosts.filter(({ lanes }) => lanes.server === "unknown");
  expect(found.map(({ lanes }) => lanes.apps)).toContain("degraded");
  for (const { hostId, verdict, confidence } of found) {
    expect([hostId, verdict === "works", confidence === "high"]).toEqual([hostId, false, false]);
  }
});
