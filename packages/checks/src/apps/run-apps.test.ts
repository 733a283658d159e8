/** @module The apps suite on samples with widgets: nothing to fault as they are, and exactly the right checks fail for each fault brought in. */
import { connect, parseTarget, type Target } from "@fettle/mcp";
import { type RunningSample, sampleCommand, startCafe, startEverything, startHostile } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startFaultyProxy } from "../protocol/testing/faulty-proxy.ts";
import { disagreementsOf } from "../verdict/testing/evidence-agrees.ts";
import { cspEntryFault, isCovered, loadedOrigins } from "./csp-sources.ts";
import type { BootWidgets } from "./observe-apps.ts";
import { type AppsOptions, type AppsReport, appsClientCapabilities, runApps } from "./run-apps.ts";
import { type AppsMutation, appsMutations } from "./testing/apps-mutations.ts";

let cafe: RunningSample;
beforeAll(async () => {
  cafe = await startCafe();
});
afterAll(() => cafe.close());

const eras = ["2025-11-25", "2026-07-28"] as const;

async function judged(target: Target, protocolVersion?: string, options?: AppsOptions): Promise<AppsReport> {
  await using connection = await connect(target, {
    capabilities: appsClientCapabilities,
    ...(protocolVersion !== undefined && { protocolVersion }),
  });
  return await runApps(target, connection, options);
}

/** What a browser would tell of each. */
function seenAs({ errors = [], ...end }: NonNullable<AppsMutation["boots"]>): BootWidgets {
  return async (widgets) => widgets.map((widget) => ({ ...widget, end, errors }));
}

const idsOf = ({ checks }: AppsReport, holds: (check: AppsReport["checks"][number]) => boolean) =>
  checks.filter(holds).map(({ id }) => id);

describe.each([
  ["HTTP", () => parseTarget({ url: cafe.url })],
  ["stdio", () => parseTarget(sampleCommand("cafe"))],
])("a good server over %s", (_transport, target) => {
  test.each(eras)("has nothing to fault and nothing to advise in %s", async (version) => {
    const report = await judged(target(), version, { bootWidgets: seenAs({ begun: true }) });
    expect(idsOf(report, ({ status }) => status !== "passed")).toEqual([]);
    expect(report).toMatchObject({
      outcome: "passed",
      protocolVersion: version,
      score: { score: 100 },
      discovery: {
        toolCount: 3,
        uiToolCount: 1,
        listedResourceCount: 2,
        listedUiResourceCount: 2,
        checkedUiResourceCount: 2,
      },
    });
  });
});

test("the bookshop speaks one dialect alone, which is fine", async () => {
  const report = await judged(parseTarget(sampleCommand("bookshop")));
  expect(report).toMatchObject({
    outcome: "passed",
    discovery: { uiToolCount: 2, checkedUiResourceCount: 1 },
  });
  expect(idsOf(report, ({ skipReason }) => skipReason === "not-applicable")).toEqual([
    "ui-openai-dialect-valid",
    "ui-widget-boots",
  ]);
});

describe.concurrent("a server with one fault", () => {
  test.each(appsMutations.map((mutation, index) => [mutation.name, mutation, eras[index % 2]] as const))(
    "%s",
    async (_name, { fails = [], advises = [], unproven = [], requireUi, boots, ...fault }, version) => {
      const proxy = await startFaultyProxy(cafe.url, fault);
      try {
        const report = await judged(parseTarget({ url: proxy.url }), version, {
          requireUi: requireUi ?? false,
          ...(boots && { bootWidgets: seenAs(boots) }),
        });
        expect(idsOf(report, ({ status }) => status === "failed").toSorted()).toEqual(fails.toSorted());
        expect(idsOf(report, ({ warnings }) => warnings !== undefined)).toEqual(advises);
        expect(disagreementsOf(report.checks)).toEqual([]);
        if (unproven.length > 0) {
          expect(idsOf(report, ({ skipReason }) => skipReason === "could-not-run")).toEqual(unproven);
        } else expect(report.outcome).toBe(fails.length > 0 ? "failed" : "passed");
      } finally {
        await proxy.close();
      }
    },
  );
});

test("a server without widgets has nothing to test, required or not", async () => {
  const everything = await startEverything();
  onTestFinished(() => everything.close());
  const target = parseTarget({ url: everything.url });
  expect(await judged(target)).toMatchObject({ outcome: "not-applicable", score: { score: null } });
  const required = await judged(target, undefined, { requireUi: true });
  expect(required).toMatchObject({ outcome: "not-applicable", score: { score: null } });
});

test("checks are chosen by id before category, and only known ones", async () => {
  const target = parseTarget({ url: cafe.url });
  const one = await judged(target, undefined, { checkIds: ["ui-tools-present"], categories: ["resources"] });
  expect(idsOf(one, () => true)).toEqual(["ui-tools-present"]);
  const some = await judged(target, undefined, { categories: ["tools"] });
  expect(some.checks.every(({ category }) => category === "tools")).toBe(true);
  await expect(judged(target, undefined, { checkIds: ["nothing"] })).rejects.toMatchObject({
    code: "BAD_OPTION",
  });
});

test("a server that goes silent leaves checks unproven, never failed", async () => {
  const proxy = await startFaultyProxy(cafe.url, {
    message: (message, { body }) => (body?.method === "tools/list" ? undefined : message),
  });
  onTestFinished(() => proxy.close());
  const report = await judged(parseTarget({ url: proxy.url }), undefined, { checkTimeoutMs: 300 });
  expect(report.outcome).toBe("incomplete");
  expect(idsOf(report, ({ status }) => status === "failed")).toEqual([]);
});

test("hostile definitions do not break the judge", async () => {
  const hostile = await startHostile("hostile-text");
  onTestFinished(() => hostile.close());
  expect((await judged(parseTarget({ url: hostile.url }))).outcome).toBe("not-applicable");
});

test.each([
  ["https://api.example.com", undefined],
  ["https://api.example.com:8443", undefined],
  ["https://*.example.com", undefined],
  ["wss://live.example.com", undefined],
  ["api.example.com", undefined],
  ["http://localhost:3000", undefined],
  ["*", "allows everything"],
  ["https://a.*.example.com", "has a wildcard elsewhere than in its first label"],
  ["https://api.example.com/v1", "has a path"],
  ["https://api.example.com/", "has a path"],
  ["http://api.example.com", "is neither https nor wss"],
  ["https://user:secret@example.com", "holds credentials"],
  ["not an origin", "is not an origin"],
  ["", "is not a non-empty string"],
  [7, "is not a non-empty string"],
])("the policy entry %j %s", (entry, fault) => {
  expect(cspEntryFault(entry)).toBe(fault);
});

test("loads are found in markup, style and script, and links are none", () => {
  const source = `<script src="https://cdn.example.com/a.js"></script><link rel=stylesheet href='https://css.example.com/a.css'>
    <style>@font-face { src: url(https://fonts.example.com/a.woff2) }</style><a href="https://elsewhere.example.com">Go</a>
    <script type=module>import x from "https://esm.example.com/x"; new WebSocket("wss://live.example.com/s")</script>`;
  expect(loadedOrigins(source).toSorted()).toEqual([
    "https://cdn.example.com",
    "https://css.example.com",
    "https://esm.example.com",
    "https://fonts.example.com",
    "wss://live.example.com",
  ]);
  // Bundled script holds addresses, tags and style sheets that nothing loads.
  const bundled = `<script>const docs = "https://docs.example.com"; const tag = '<img src="https://img.example.com/a.png">';
    const css = "a { background: url(https://bg.example.com/a.png) }"; log('made from "https://x.example.com"')</script>`;
  expect(loadedOrigins(bundled)).toEqual([]);
  expect(loadedOrigins("<script src=".repeat(500_000))).toEqual([]);
  expect(isCovered("https://cdn.example.com", ["https://*.example.com"])).toBe(true);
  expect(isCovered("https://cdn.example.com", ["wss://cdn.example.com"])).toBe(false);
  expect(isCovered("https://example.com", ["*.example.com"])).toBe(false);
});
