import { describe, expect, test } from "vitest";
import { wireLimits } from "../limits.ts";
import { readMessages } from "../messages/jsonrpc.ts";
import { statelessEra } from "./era-2026-07-28.ts";
import { isStatelessRequest, type KnownOfServer, refusalOf, statusOfError } from "./request-rules.ts";

const server: KnownOfServer = {
  versions: ["2026-07-28", "2027-01-01"],
  agreed: ["2026-01-01"],
  onlyShakesHands: false,
  paramHeadersOf: (tool) =>
    tool === "book"
      ? [
          { path: ["place", "city"], suffix: "City" },
          { path: ["nights"], suffix: "Nights" },
        ]
      : [],
};
const era = statelessEra(() => ({ clientInfo: { name: "t", version: "1" }, capabilities: {} }));

function messageOf(value: object) {
  return readMessages(JSON.stringify({ jsonrpc: "2.0", ...value }), wireLimits)[0]!;
}

type Headers = Record<string, string | undefined>;

/** A request as a client of the stateless era sends it, but for what is changed. */
function judge(method: string, params: object, changed: Headers = {}, meta: object = {}) {
  const { params: own, headers } = era.prepare(method, { ...params, _meta: meta } as never);
  return refusalOf(messageOf({ id: 1, method, params: own }), { ...headers, ...changed }, server)?.code;
}

describe("a revision", () => {
  const ping = messageOf({ id: 1, method: "ping" });
  test.each([
    [undefined, false],
    ["2025-03-26", false],
    [" 2025-11-25 ", false],
    ["2026-01-01", false],
    ["1999-01-01", true],
    ["latest", true],
    ["", true],
  ])("%j in the header alone is refused: %s", (version, isRefused) => {
    const refusal = refusalOf(ping, { "mcp-protocol-version": version }, server);
    expect(refusal?.code).toBe(isRefused ? -32022 : undefined);
    if (isRefused) expect(refusal?.data).toEqual({ supported: server.versions, requested: version });
  });

  test("that nobody has is refused of what wants no answer, too", () => {
    const message = messageOf({ method: "notifications/initialized" });
    expect(refusalOf(message, { "mcp-protocol-version": "1999-01-01" }, server)?.code).toBe(-32022);
    expect(refusalOf(message, { "mcp-protocol-version": "2026-07-28" }, server)).toBeUndefined();
  });

  test("is named by those we know where the server has said nothing", () => {
    const silent = { ...server, versions: [], agreed: [] };
    const refusal = refusalOf(ping, { "mcp-protocol-version": "2027-01-01" }, silent);
    expect(refusal?.data?.supported).toContain("2025-11-25");
  });
});

test("the era without a handshake is refused for a server that does not know it", () => {
  const { params, headers } = era.prepare("tools/list", {});
  const message = messageOf({ id: 1, method: "tools/list", params });
  const older = { ...server, versions: [], onlyShakesHands: true };
  expect(refusalOf(message, headers, older)).toMatchObject({
    code: -32022,
    data: { supported: expect.arrayContaining(["2025-11-25"]), requested: "2026-07-28" },
  });
});

const plain = { name: "echo", arguments: {} };
const booking = (city: unknown, nights?: unknown) => ({
  name: "book",
  arguments: { place: { city }, nights },
});

test.each<[string, object, Headers, number | undefined, object?]>([
  ["as it should be", plain, {}, undefined],
  ["blanks around a value", plain, { "mcp-name": " echo " }, undefined],
  ["a name in base64", plain, { "mcp-name": "=?base64?ZWNobw==?=" }, undefined],
  ["another name", plain, { "mcp-name": "other" }, -32020],
  ["base64 that is none", plain, { "mcp-name": "=?base64?ZWNo!w==?=" }, -32020],
  ["no name", plain, { "mcp-name": undefined }, -32020],
  ["another method", plain, { "mcp-method": "tools/list" }, -32020],
  ["the method in capitals", plain, { "mcp-method": "TOOLS/CALL" }, -32020],
  ["no method", plain, { "mcp-method": undefined }, -32020],
  ["another revision than the body", plain, { "mcp-protocol-version": "2025-11-25" }, -32020],
  ["no revision in the header", plain, { "mcp-protocol-version": undefined }, -32020],
  ["a newer revision", plain, { "mcp-protocol-version": "2027-01-01" }, undefined, meta("2027-01-01")],
  ["a revision nobody has", plain, { "mcp-protocol-version": "1999-01-01" }, -32022, meta("1999-01-01")],
  ["no revision in the body", plain, {}, -32602, meta(undefined)],
  ["no capabilities", plain, {}, -32602, { "io.modelcontextprotocol/clientCapabilities": undefined }],
  ["an argument", booking("Rome"), { "mcp-param-city": "Rome" }, undefined],
  ["an argument in base64", booking("Köln"), { "mcp-param-city": "=?base64?S8O2bG4=?=" }, undefined],
  ["another argument", booking("Rome"), { "mcp-param-city": "Oslo" }, -32020],
  ["no header for an argument", booking("Rome"), {}, -32020],
  ["a header for no argument", booking(null), { "mcp-param-city": "Oslo" }, undefined],
  ["a number", booking(null, 42), { "mcp-param-nights": "42.0" }, undefined],
  ["another number", booking(null, 42), { "mcp-param-nights": "43" }, -32020],
])("a stateless call with %s", (_, params, headers, code, changed) => {
  expect(judge("tools/call", params, headers, changed)).toBe(code);
});

function meta(version: string | undefined) {
  return { "io.modelcontextprotocol/protocolVersion": version };
}

test("what belongs to a handshake is held to no header of the other era", () => {
  const message = messageOf({ id: 1, method: "tools/call", params: plain });
  for (const version of [undefined, "2025-11-25", "2026-01-01"]) {
    const headers = { "mcp-protocol-version": version };
    expect(refusalOf(message, headers, server)).toBeUndefined();
    expect(isStatelessRequest(message, headers, server)).toBe(false);
  }
});

test("only what the era says about errors becomes a status", () => {
  expect([-32601, -32020, -32021, -32022, -32602, -32603, 1].map(statusOfError)).toEqual([
    404, 400, 400, 400, 200, 200, 200,
  ]);
});
