import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type CodeHostStub, startCodeHost } from "../../testing/code-host.ts";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { askCase } from "../../testing/eval-suite.ts";
import { tellChecks } from "./check-commit.ts";
import { stateOf } from "./conclusion.ts";

let now = Date.now();
let host: CodeHostStub;
let bench: EvalBench;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  host = stack.use(await startCodeHost());
  const shop = await startBookshop();
  stack.defer(() => shop.close());
  bench = await evalBench(shop.url, { env: host.env, now: () => now });
  stack.defer(() => bench.service.close());
  await bench.service.app.work();
});
afterAll(() => stack.disposeAsync());

const finds = askCase("finds", "Search for books about planets", "search_books");
const misses = askCase("misses", "Search for books about planets", "delete_everything");
const at = () => `/api/v1/organizations/${bench.world.organizationId}/eval-check-repos`;
const admin = () => bench.world.people.owner.key;
const list = async () => (await bench.service.call(at(), { key: admin() })).body;
const connect = (body: object, once?: string) =>
  bench.service.call(at(), {
    method: "POST",
    key: admin(),
    headers: once === undefined ? {} : { "idempotency-key": once },
    body: { projectId: bench.world.projectId, repo: host.repo, outagePolicy: "fail_open", ...body },
  });
const send = async ({ body, headers }: ReturnType<CodeHostStub["event"]>) => {
  const answer = await fetch(`${bench.service.url}/api/v1/webhooks/code-host`, {
    method: "POST",
    headers,
    body,
  });
  return { status: answer.status, body: (await answer.json()) as { accepted?: number } };
};
const checkOf = (sha: string) => [...host.checks.values()].find(({ head_sha }) => head_sha === sha);
/** What the code host shows of a commit once it says so. */
const shown = (sha: string, conclusion: string) =>
  vi.waitFor(async () => {
    await tellChecks(bench.service.app);
    expect(checkOf(sha)).toMatchObject({ status: "completed", conclusion });
    return checkOf(sha)!;
  }, 60_000);

it("is off until it is set up, and says so", async () => {
  await using plain = await (async () => {
    const other = await evalBench("http://127.0.0.1:9/mcp");
    return { ...other, [Symbol.asyncDispose]: () => other.service.close() };
  })();
  const path = `/api/v1/organizations/${plain.world.organizationId}/eval-check-repos`;
  const { key } = plain.world.people.owner;
  expect((await plain.service.call(path, { key })).body).toMatchObject({
    available: false,
    items: [],
    connectable: null,
  });
  const suiteId = await plain.suite([finds]);
  const body = { projectId: plain.world.projectId, suiteId, repo: "acme/shop", outagePolicy: "fail_open" };
  expect(await plain.service.call(path, { method: "POST", key, body })).toMatchObject({ status: 422 });
  const answer = await fetch(`${plain.service.url}/api/v1/webhooks/code-host`, {
    method: "POST",
    ...host.event(),
  });
  expect(answer.status).toBe(422);
});

describe("a repository", () => {
  it("is connected once, by an admin, to a suite it can run; unknown ones are not there", async () => {
    expect(await list()).toMatchObject({ available: true, items: [], connectable: [{ repo: "Acme/shop" }] });
    const suiteId = await bench.suite([finds]);
    expect((await connect({ suiteId, repo: "acme/secret" })).status).toBe(404);
    expect((await connect({ suiteId, repo: "../../app" })).status).toBe(400);
    expect((await connect({ suiteId: "ste_none" })).status).toBe(404);
    const made = await connect({ suiteId, repo: "acme/SHOP" }, "shop");
    expect(made).toMatchObject({
      status: 201,
      body: { repo: "Acme/shop", suiteId, outagePolicy: "fail_open" },
    });
    const again = await connect({ suiteId, repo: "acme/SHOP" }, "shop");
    expect([again.status, again.body]).toEqual([201, made.body]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await connect({ suiteId })).toMatchObject({
      status: 409,
      body: { details: { code: "REPO_CONNECTED" } },
    });
    expect((await list()).items).toMatchObject([{ repo: "Acme/shop", enabled: true }]);
    host.refuses = 500;
    expect(await list()).toMatchObject({ available: true, connectable: null, items: [{}] });
    host.refuses = undefined;
  });
});

describe("a pull request", () => {
  const use = (suiteId: string, outagePolicy = "fail_open") =>
    bench.service.app.pool.query("update eval_check_repos set suite_id = $1, outage_policy = $2", [
      suiteId,
      outagePolicy,
    ]);

  it("runs the suite once for each commit, and shows the gate's word", async () => {
    const sha = "1".repeat(40);
    expect(await send(host.event({ sha }))).toEqual({ status: 202, body: { ok: true, accepted: 1 } });
    expect((await send(host.event({ sha, action: "synchronize" }))).body.accepted).toBe(0);
    const check = await shown(sha, "success");
    expect(check).toMatchObject({ name: "Fettle evals", output: { title: "The gate passed" } });
    const { items } = (await bench.call("GET", `/eval-runs?commitSha=${sha}`)).body;
    expect(items).toMatchObject([
      { source: "check", ci: { commitSha: sha, pullRequest: "7", branch: "feature" } },
    ]);
    expect(check.details_url).toContain(items[0].id);
    const before = check.updates;
    await tellChecks(bench.service.app);
    expect(checkOf(sha)!.updates, "told only of changes").toBe(before);
  });

  it("whose gate failed is let through by a waiver, by name, and fails again when it ends", async () => {
    await use(await bench.suite([misses]));
    const sha = "2".repeat(40);
    await send(host.event({ sha }));
    await shown(sha, "failure");
    const { items } = (await bench.call("GET", `/eval-runs?commitSha=${sha}`)).body;
    const waiver = { reason: "Known and tracked", expiresAt: now + 3_600_000 };
    const path = `/eval-runs/${items[0].id}/gate-waivers`;
    expect((await bench.call("POST", path, waiver, { person: "owner" })).status).toBe(201);
    expect((await shown(sha, "success")).output).toMatchObject({
      summary: expect.stringContaining("Known and tracked"),
    });
    now += 3_700_000;
    await shown(sha, "failure");
  });

  it.each([
    ["fail_open", "neutral"],
    ["fail_closed", "failure"],
  ])("that could not be checked is, under %s, %s", async (policy, conclusion) => {
    await use(await bench.suite([finds], { model: "openai/none" }), policy);
    const sha = (policy === "fail_open" ? "3" : "4").repeat(40);
    await send(host.event({ sha }));
    expect((await shown(sha, conclusion)).output).toMatchObject({ title: "No verdict" });
  });

  it("is told of later when the code host is away", async () => {
    await use(await bench.suite([finds]));
    const sha = "5".repeat(40);
    host.refuses = 503;
    await send(host.event({ sha }));
    await vi.waitFor(async () => {
      const { items } = (await bench.call("GET", `/eval-runs?commitSha=${sha}`)).body;
      expect(items).toMatchObject([{ status: "completed" }]);
    }, 60_000);
    host.refuses = undefined;
    await shown(sha, "success");
  });

  it.each([
    [
      "unsigned",
      (event: ReturnType<CodeHostStub["event"]>) => ({
        ...event,
        headers: { ...event.headers, "x-hub-signature-256": "" },
      }),
      401,
    ],
    [
      "changed on the way",
      (event: ReturnType<CodeHostStub["event"]>) => ({
        ...event,
        body: event.body.replace("opened", "closed"),
      }),
      401,
    ],
  ])("that is %s counts for nothing", async (_, change, status) => {
    expect((await send(change(host.event({ sha: "6".repeat(40) })))).status).toBe(status);
    expect((await bench.call("GET", `/eval-runs?commitSha=${"6".repeat(40)}`)).body.items).toEqual([]);
  });

  it("of another repository, or that is closed, runs nothing", async () => {
    expect((await send(host.event({ repo: "acme/other", sha: "7".repeat(40) }))).body.accepted).toBe(0);
    expect((await send(host.event({ action: "closed", sha: "7".repeat(40) }))).body.accepted).toBe(0);
  });
});

it("a check pends while its run does", () => {
  const of = { gate: undefined, error: null, outagePolicy: "fail_closed" as const, detailsUrl: "x" };
  const run = { status: "running" as const, summary: null, suiteName: "Shop" };
  expect(stateOf({ ...of, run })).toMatchObject({ status: "in_progress" });
  expect(stateOf({ ...of, run: undefined })).toMatchObject({ status: "in_progress" });
});
