import { describe, expect, test } from "vitest";
import { U } from "./detectors/detector.ts";
import { analysisOf } from "./envelope/envelope.ts";
import { factsReader } from "./facts/read-unit.ts";
import type { Unit } from "./observed/unit.ts";
import { failing, gave, snapshot } from "./testing/bookshop.ts";
import { judge, minedFacts } from "./testing/mined.ts";
import { observed } from "./testing/plant.ts";

/** Cut in two here, so that nothing takes this file for a leak. */
const joined = (...parts: string[]) => parts.join("");
const known = "correct horse battery";

/** What is secret, and how it may be written into a text. */
const canaries: readonly [name: string, secret: string, written: (secret: string) => string][] = [
  [
    "a provider's key",
    joined("sk-", "canarycanarycanary1234567890"),
    (it) => `the key ${it} is over its limit`,
  ],
  ["a token of GitHub", joined("gh", "p_canaryCANARY0123456789canaryCANARY"), (it) => `cloning with ${it}`],
  ["a key of Amazon", joined("AK", "IACANARYCANARY1234"), (it) => `signed by ${it}`],
  [
    "a web token",
    joined("ey", "JjYW5hcnljYW5hcnk0.eyJjYW5hcnljYW5hcnk1.c2lnbmF0dXJlMTIz"),
    (it) => `session ${it} has ended`,
  ],
  ["a bearer", "canary.bearer.token", (it) => `Authorization: Bearer ${it}`],
  ["a password in JSON", "hunter-canary", (it) => JSON.stringify({ error: "no", password: it })],
  [
    "a password in JSON in JSON",
    "hunter-canary",
    (it) => JSON.stringify({ error: JSON.stringify({ password: it }) }),
  ],
  ["a password in words", "hunter-canary", (it) => `the password is ${it}, said the vault`],
  ["a pair", "hunter-canary", (it) => `login failed: user=ann&client_secret=${it}`],
  ["an address", "hunter-canary", (it) => `cannot reach https://ann:${it}@db.example.com/shop`],
  ["no shape but noise", joined("xK9", "mQ2vT7pLw4RzB8nY"), (it) => `the vault gave ${it} back`],
  ["what the environment knows", known, (it) => `it says ${it} again`],
];

/** Where a server, a model or a visitor may say it. */
const places: Record<string, (said: string, secret: string) => Partial<Unit>> = {
  "an error": (said) => ({ calls: one({ ...failing(said), result: undefined }) }),
  "the end of a long error": (said) => ({
    calls: one({ ...failing(`${"long ".repeat(52)}${said}`), result: undefined }),
  }),
  "a result with an error flag": (said) => ({
    calls: one({ end: "error", result: { ...gave(said), isError: true } }),
  }),
  "a result": (said) => ({ calls: one({ result: gave(said) }) }),
  "structured content": (_said, secret) => ({
    calls: one({ result: { ...gave("Fine"), structuredContent: { note: secret } } }),
  }),
  "an argument, repeated in the error": (_said, secret) => ({
    calls: one({ ...failing(`no entry for ${secret}`), arguments: { order_id: "7", password: secret } }),
  }),
  "an argument of no telling name": (_said, secret) => ({
    calls: one({ ...failing("Something went wrong"), arguments: { order_id: secret } }),
  }),
  "a result, repeated by the assistant": (_said, secret) => ({
    calls: one({ result: gave(JSON.stringify({ api_key: secret })) }),
    turns: [{ user: "useless??", answer: `I found ${secret}.`, messageIndex: 0 }],
  }),
  "what a visitor says": (said) => ({ turns: [{ user: `${said} useless??`, answer: "", messageIndex: 0 }] }),
  "what a visitor writes about it": (said) => ({ feedback: { isNegative: true, comment: said } }),
  "what a judge says": (said) => ({ judge: { passed: true, score: 0.7, threshold: 0.7, reason: said } }),
  "a name that a model made up": (_said, secret) => ({
    calls: one({ toolName: `tool ${secret}`, serverId: null, end: "unsent" }),
  }),
  "the console of a view": (said) => ({
    widgets: [{ serverId: "srv_books", toolName: "show_cover", status: "rendered", consoleErrors: [said] }],
  }),
  "why a server could not be reached": (said) => ({
    end: {
      stopCause: null,
      idleAfterMs: null,
      reachedTurnCap: false,
      setupFailure: { serverId: "srv_books", text: said },
    },
  }),
  "a visitor's browser": (said) => ({ cohort: { segment: said }, verdict: "failed" }),
};

function one(call: Partial<Unit["calls"][number]>): Unit["calls"] {
  const said = [
    { user: "Cancel it", calls: [{ toolName: "cancel_order", arguments: { order_id: "7" }, ...call }] },
  ];
  return observed(U, "x", said).calls;
}

const factsOf = factsReader({
  snapshots: [snapshot],
  judge,
  hide: (text) => text.replaceAll(known, "[REDACTED]"),
});

describe.each(canaries)("%s", (_name, secret, written) => {
  // Alone, a word has no shape; it is known by the text around it, or by its name elsewhere.
  const isShapeless = secret === "hunter-canary" || secret === "canary.bearer.token";
  const bare = ["an argument of no telling name", "a name that a model made up"];
  const where = Object.keys(places).filter((place) => !isShapeless || place !== bare[1]);

  test.each(where)("never gets from %s into what is kept or told", (place) => {
    const units = Array.from({ length: 6 }, (_, nth) =>
      observed(U, `s-${nth}`, [{ user: "Cancel it" }], places[place]!(written(secret), secret)),
    );
    const facts = units.map(factsOf);
    const mined = minedFacts(U, facts);
    const told = JSON.stringify([facts, analysisOf(mined), mined.signals]);
    expect(told).not.toContain(secret);
    expect(told.toLowerCase()).not.toContain(secret.toLowerCase());
    // Nor a good part of it, where a text was cut.
    expect(told.toLowerCase()).not.toContain(secret.toLowerCase().slice(0, 12));
  });
});
