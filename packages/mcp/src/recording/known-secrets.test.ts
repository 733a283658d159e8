import { expect, test, vi } from "vitest";
import { hideInFailure, McpError } from "../failure.ts";
import { excerptOf } from "../messages/jsonrpc.ts";
import { parseTarget } from "../target.ts";
import { hiding, redactKnowing, redactKnowingInTurn, secretsOf } from "./known-secrets.ts";

const secret = 'cä"na/ry+5e1f\\77?';
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** How a server may write down again what it was sent. */
const spellings: Record<string, string> = {
  plain: secret,
  "url-encoded": encodeURIComponent(secret),
  "url-encoded in lower case": encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  "form-encoded": new URLSearchParams({ a: secret }).toString(),
  base64: base64(secret),
  "base64 for addresses": Buffer.from(secret).toString("base64url"),
  "base64 after one more byte": base64(`a${secret}yz`),
  "base64 after two more bytes": base64(`ab${secret}yz`),
  "base64 after three more bytes": base64(`abc${secret}y`),
  "JSON-escaped": JSON.stringify({ a: secret }),
  "JSON-escaped, ASCII only": JSON.stringify(secret).replace("ä", "\\u00e4"),
  "JSON-escaped, slashes too": JSON.stringify(secret).replace("/", "\\/"),
  hex: Buffer.from(secret).toString("hex"),
  "hex in capitals": Buffer.from(secret).toString("hex").toUpperCase(),
  "in capitals": secret.toUpperCase(),
  "in small letters": "CaNary-5E1F-Ü".toLowerCase(),
  "JSON inside JSON": JSON.stringify(JSON.stringify({ a: secret })),
};

test.each(Object.keys(spellings))("a known secret is hidden when it is written %s", (how) => {
  const written = spellings[how]!;
  const hidden = hiding([secret, "CaNary-5E1F-Ü"])({ said: `before ${written} after`, [written]: [written] });
  const text = JSON.stringify(hidden);
  expect(text).toContain("[REDACTED]");
  expect(text).toMatch(/before .* after/);
  expect(text).not.toContain(written);
  // Digits at the edges of base64 are shared with their neighbours; the middle is the secret's alone.
  expect(text).not.toContain(written.slice(4, -6));
});

const key = "kq/9Zp+Lw3/TtR8x+Yb2Hn6/'secret'7788==";

/** Writers differ in which characters they escape; each is right in its own way. */
test.each([
  ["slashes kept in an address", key.replaceAll("+", "%2B").replaceAll("=", "%3D")],
  ["every character as a byte", [...key].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join("")],
  ["encoded twice for an address", encodeURIComponent(encodeURIComponent(key))],
  ["escaped by number in JSON", key.replaceAll("+", "\\u002B").replaceAll("'", "\\u0027")],
  ["the same inside JSON", key.replaceAll("+", "\\\\u002b").replaceAll("/", "\\\\/")],
  ["for a page", key.replaceAll("/", "&#x2F;").replaceAll("'", "&#39;").replaceAll("+", "&#43;")],
])("a known secret is hidden with %s", (_, written) => {
  expect(hiding([key])({ said: `before ${written} after` })).toEqual({ said: "before [REDACTED] after" });
});

test.each(Array.from({ length: key.length }, (_, shown) => shown))(
  "an excerpt that was cut after %i characters of a secret does not show them",
  (shown) => {
    const text = hiding([key])(`The answer "${excerptOf(`xx ${key}`, shown + 3)}" is no JSON.`);
    expect(text).not.toContain(key.slice(0, 4));
    expect(text).toMatch(/^The answer "xx .*…" is no JSON\.$/);
  },
);

test("what is left of a secret after the middle of a text was left out is hidden too", () => {
  const text = `begin ${key.slice(0, 9)}\n… 17 characters left out …\n${key.slice(5)} end`;
  expect(hiding([key])(text)).toBe("begin [REDACTED]\n… 17 characters left out …\n[REDACTED] end");
});

/** Who refuses a credential often says which one it was: its beginning and its end, with something for the rest. */
test.each(["*****", "...", "…", "••••", "***…"])(
  "a secret shortened with %s is hidden on both sides",
  (sign) => {
    const text = `Incorrect key: ${key.slice(0, 8)}${sign}${key.slice(-4)}. See ${sign} above`;
    expect(hiding([key])(text)).toBe(`Incorrect key: [REDACTED]${sign}[REDACTED]. See ${sign} above`);
  },
);

test("what is left of a secret is found beside something that looks like it", () => {
  const repeating = "aaaab-canary-7-7-7-7";
  expect(hiding([repeating])("key xaaaaab-ca*** or ***y-7-7-7-7, not 7-7-7")).toBe(
    "key xa[REDACTED]*** or ***[REDACTED], not 7-7-7",
  );
});

test("a secret with space around it is hidden without the space, as a header carries it", () => {
  expect(hiding(["\tcanary-5e1f-77\n"])("you sent canary-5e1f-77!")).toBe("you sent [REDACTED]!");
});

test.each([
  ["%", "%".repeat(200_000)],
  ["cuts", "kq/9…".repeat(100_000)],
  ["stars", "*".repeat(200_000)],
  ["backslashes", "\\".repeat(200_000)],
])("a text full of %s is looked through all the same", (_, text) => {
  expect(hiding([key, "\\".repeat(60), "%25".repeat(60)])(text).length).toBeGreaterThan(0);
});

test.each([
  ["Bearer canary-token-1", "canary-token-1"],
  [`Basic ${base64("ada:canary-word")}`, "canary-word"],
  [`Basic ${base64("ada:canary-word")}`, "ada:canary-word"],
])("of the header %s, %s alone is hidden too", (header, part) => {
  expect(hiding([header])(`you sent ${part}!`)).toBe("you sent [REDACTED]!");
});

test("an address is hidden by its masked form, and its values wherever else they are", () => {
  const target = parseTarget({ url: "https://host/mcp?token=canary-5e1f&mode=fast" });
  const seen = {
    url: "https://host/mcp?token=canary-5e1f&mode=fast",
    next: "/x?token=canary-5e1f&mode=fast",
    said: "fast: canary-5e1f",
  };
  expect(redactKnowing(seen, secretsOf(target))).toEqual({
    url: "https://host/mcp?token=***&mode=***",
    next: "/x?token=***&mode=***",
    said: "fast: [REDACTED]",
  });
});

test("long lists are redacted in turn to the same, wherever they stand", async () => {
  const item = (id: number) => ({
    name: `tool ${id}`,
    arguments: { password: "hunter2" },
    said: `canary-5e1f ${"x".repeat(id % 7)} Bearer abcdefghijkl`,
    code: "grant",
  });
  const items = Array.from({ length: 1_234 }, (_, id) => item(id));
  const values: unknown[] = [
    { target: "canary-5e1f", tools: items, lists: { prompts: items, few: [item(1)] } },
    { name: "x", arguments: { list: items }, cookie: items, "canary-5e1f": items },
    { name: "x", arguments: { list: items.map(({ arguments: some }) => some) }, cookie: items },
    { cookie: items.map(({ said }) => said), codes: items.map(({ code }) => code) },
    items,
    { one: { two: { three: { four: items } } } },
    "canary-5e1f",
    null,
  ];
  for (const value of values) {
    expect(await redactKnowingInTurn(value, ["canary-5e1f"])).toEqual(redactKnowing(value, ["canary-5e1f"]));
  }
});

test.each([
  ["a list", (items: unknown[]) => items],
  ["a list of the server", (tools: unknown[]) => ({ tools })],
  ["a list among lists", (prompts: unknown[]) => ({ lists: { few: [], prompts } })],
])("everybody else has a turn while %s is redacted", async (_, hold) => {
  const items = Array.from({ length: 1_000 }, (__, id) => ({ name: `tool ${id}` }));
  let turns = 0;
  const ended = new AbortController();
  const count = () => {
    turns += 1;
    if (!ended.signal.aborted) setImmediate(count);
  };
  setImmediate(count);
  await redactKnowingInTurn(hold(items), ["canary-5e1f"]);
  ended.abort();
  expect(turns).toBeGreaterThanOrEqual(9);
});

test("what is not known stays as it is, to the byte", () => {
  const value = { code: "a1b2c3", text: "Bearer of news, access_token=example", list: [1, null, true] };
  expect(hiding(["canary-5e1f", "short"])(value)).toEqual(value);
});

test("a failure loses what it quotes of the secrets, and keeps its code and its other facts", () => {
  const failure = new McpError("RPC_ERROR", "no: canary-5e1f", {
    hint: "send canary-5e1f",
    details: { rpcCode: -32000, data: { sent: ["canary-5e1f"] } },
    cause: new Error("canary-5e1f"),
  });
  const hidden = hideInFailure(failure, hiding(["canary-5e1f"])) as McpError;
  expect(hidden).toMatchObject({ code: "RPC_ERROR", details: { rpcCode: -32000 } });
  expect(JSON.stringify([hidden.message, hidden.hint, hidden.details, String(hidden.cause)])).not.toContain(
    "canary",
  );
});

test("a failure that quotes a secret in its facts alone loses it there", () => {
  const failure = new McpError("RPC_ERROR", "no", { details: { sent: "canary-5e1f" } });
  const hidden = hideInFailure(failure, hiding(["canary-5e1f"])) as McpError;
  expect(JSON.stringify(hidden.details)).not.toContain("canary");
});

test("knows what a command inherits under a name of a credential, and nothing where somebody else starts it", () => {
  const target = { kind: "stdio" as const, command: "node", args: [], env: { MODE: "set-for-it" } };
  vi.stubEnv("ACME_API_KEY", "inherited-canary");
  vi.stubEnv("ACME_KEY_FILE", "/etc/acme.pem");
  vi.stubEnv("ACME_REGION", "eu-central-1");
  const hide = hiding(secretsOf(target));
  expect(hide("inherited-canary set-for-it /etc/acme.pem eu-central-1")).toBe(
    "[REDACTED] [REDACTED] /etc/acme.pem eu-central-1",
  );
  const elsewhere = { ...target, start: () => Promise.reject(new Error("not here")) };
  expect(hiding(secretsOf(elsewhere))("inherited-canary")).toBe("inherited-canary");
  vi.unstubAllEnvs();
});

test("a part of a credential that is too short to hide is not hidden in other spellings either", () => {
  const said = `${base64("shop:abcd")} and ${base64("abcd")}`;
  expect(hiding([`Basic ${base64("shop:abcd")}`])(said)).toBe(`[REDACTED] and ${base64("abcd")}`);
});
