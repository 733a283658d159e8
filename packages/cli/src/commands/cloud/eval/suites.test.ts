/** @module The commands on suites and cases against the real service, with the sample's bookshop. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Serving } from "@fettle/service";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CloudService, startCloudService } from "../../../testing/cloud-service.ts";
import { suiteOf } from "../../../testing/hosted-suite.ts";
import { temporaryFolder, testWorld } from "../../../testing/world.ts";

let deployment: CloudService;
let service: Serving;
/** What the sample calls its server. */
const server = "Bookshop";

beforeAll(async () => {
  deployment = await startCloudService();
  service = deployment.service;
});

afterAll(() => deployment?.stop());

async function typed(...argv: string[]) {
  const env = { FETTLE_API_KEY: service.apiKey!, FETTLE_API_URL: service.url, NO_COLOR: "1" };
  const { fettle } = await testWorld({ env });
  return fettle("cloud", ...argv, "--quiet");
}
async function cloud(...argv: string[]) {
  const { stdout, stderr, exitCode } = await typed(...argv);
  return { exitCode, body: stdout === "" ? JSON.parse(stderr).error : JSON.parse(stdout) };
}
const evals = (...argv: string[]) => cloud("eval", ...argv);
const asked = (title: string) => ({ title, steps: [{ id: "ask", kind: "prompt", prompt: title }] });
const create = (name: string, tests: object[] = [asked("One")]) =>
  evals(
    "create",
    "--name",
    name,
    "--server",
    server,
    "--model",
    "fettle/rules-1",
    "--json",
    JSON.stringify({ tests }),
  );

test("a suite is made from a document and flags, listed, read, changed and deleted", async () => {
  const file = join(await temporaryFolder(), "suite.json");
  await writeFile(
    file,
    JSON.stringify({ name: "Overridden", servers: [server], cases: [asked("One"), { title: "Bad" }] }),
  );
  const made = await evals("create", "--file", file, "--name", "Checkout", "--model", "fettle/rules-1");
  expect(made.body).toMatchObject({
    project: { name: expect.any(String) },
    suite: { name: "Checkout" },
    servers: [{ name: server }],
    caseUpsert: { committed: [{ name: "One" }], failed: [{ index: 1, name: "Bad" }] },
  });
  const { id } = made.body.suite;
  const list = await evals("list");
  expect(list.body.items).toContainEqual(expect.objectContaining({ id, caseCount: 1, latestRun: null }));
  const changed = await evals(
    "update",
    ...[
      "--suite",
      "checkout",
      "--min-accuracy",
      "95",
      "--min-iterations",
      "2",
      "--system-prompt",
      "Be brief.",
    ],
    ...[
      "--tool-call-order",
      "in-order",
      "--extra-tool-calls",
      "1",
      "--judge",
      "on",
      "--judge-threshold",
      "0.5",
    ],
    ...["--json", '{"settings":{"judge":{"model":"fettle/rules-1"},"checks":[{"type":"noToolErrors"}]}}'],
  );
  expect(changed.body).toMatchObject({
    id,
    executionConfig: { model: "fettle/rules-1", systemPrompt: "Be brief." },
    settings: {
      minimumAccuracy: 95,
      minimumIterations: 2,
      matchOptions: { toolCallOrder: "in-order", extraToolCalls: 1 },
      checks: [{ type: "noToolErrors" }],
      judge: { enabled: true, autoRun: true, model: "fettle/rules-1", threshold: 0.5 },
    },
  });
  const back = await evals(
    "update",
    "--suite",
    id,
    "--min-iterations",
    "off",
    "--extra-tool-calls",
    "unlimited",
    "--system-prompt",
    "",
    "--judge",
    "off",
  );
  expect(back.body).toMatchObject({
    executionConfig: { model: "fettle/rules-1" },
    settings: {
      minimumIterations: null,
      matchOptions: { extraToolCalls: "unlimited" },
      judge: { enabled: false },
    },
  });
  expect((await evals("get", "--suite", "Checkout")).body).toEqual(back.body);
  expect((await evals("delete", "--suite", id)).exitCode).toBe(2);
  expect((await evals("delete", "--suite", id, "--yes")).body).toMatchObject({ id, deleted: true });
});

test("a case is judged by the checks that it was created with, and one with an unknown field is told", async () => {
  const checks = [{ type: "toolCalledAtLeastOnce", toolName: "never_called" }];
  const { body, exitCode } = await create("Checked", [
    { ...asked("Fails"), checks },
    { ...asked("Left out"), checks, disabled: true },
    { ...asked("Typo"), check: checks },
  ]);
  expect(body.caseUpsert).toMatchObject({
    committed: [{ name: "Fails" }, { name: "Left out" }],
    failed: [{ name: "Typo", error: "unknown: check" }],
  });
  expect(exitCode, "a script learns that a case is missing").toBe(1);
  const ran = await typed("eval", "run", "--suite", "Checked", "--wait");
  const { runs } = JSON.parse(ran.stdout);
  expect([ran.exitCode, runs[0].result, runs[0].summary.total]).toEqual([1, "failed", 1]);
});

test("the image of the computer is named, as images are elsewhere, and one that is not there is refused", async () => {
  const { id } = (await create("Pinned")).body.suite;
  const blueprint = join(await temporaryFolder(), "image.yaml");
  await writeFile(blueprint, `base: debian:13@sha256:${"ab".repeat(32)}\n`);
  const image = (await cloud("images", "create", "--name", "Desk", "--file", blueprint)).body;
  await cloud("images", "promote", "--image", "Desk");
  const pin = (named: string) => evals("update", "--suite", id, "--computer-image", named);
  const pinned = { environment: { computerEnvironment: { id: image.id } } };
  expect((await pin("desk")).body).toMatchObject(pinned);
  expect((await pin("off")).body).toMatchObject({ environment: { computerEnvironment: null } });
  expect((await pin(image.id)).body).toMatchObject(pinned);
  const refused = await pin("Dusk");
  expect([refused.exitCode, refused.body.message]).toEqual([
    expect.any(Number),
    expect.stringContaining("Dusk"),
  ]);
  expect(refused.exitCode).not.toBe(0);
  expect((await evals("get", "--suite", id)).body).toMatchObject(pinned);
});

test("environments are attached in order and detached, and a schedule runs in one of them", async () => {
  const { id } = (await create("Scheduled")).body.suite;
  await cloud("clients", "create", "--name", "Runner", "--template", "fettle");
  const hostId = (await cloud("clients", "get", "--client", "Runner")).body.id;
  const ids: string[] = [];
  for (const name of ["Nightly", "Staging"]) {
    ids.push((await cloud("environments", "create", "--name", name, "--host-id", hostId)).body.id);
  }
  const set = await evals("environments", "set", "--suite", id, "--environment", "Staging", "nightly");
  expect(set.body.environmentIds).toEqual([ids[1], ids[0]]);
  const open = await evals("schedule", "--suite", id, "--enable", "--interval", "60");
  expect([open.exitCode, open.body.details.code]).toEqual([1, "SCHEDULE_ENVIRONMENT_PIN_REQUIRED"]);
  const on = await evals(
    "schedule",
    "--suite",
    id,
    "--enable",
    "--interval",
    "60",
    "--environment",
    "Nightly",
  );
  expect(on.body.schedule).toMatchObject({ enabled: true, intervalMinutes: 60, environmentId: ids[0] });
  const pinned = await evals("environments", "clear", "--suite", id);
  expect(pinned.body.details.code).toBe("SCHEDULE_ENVIRONMENT_PINNED");
  expect((await evals("schedule", "--suite", id, "--disable")).body.schedule).toMatchObject({
    enabled: false,
    environmentId: ids[0],
  });
  expect((await evals("environments", "clear", "--suite", id)).body.environmentIds).toEqual([]);
});

test("cases are added, read by either id, changed, drafted and deleted", async () => {
  const { id: suite } = (await create("Cases")).body.suite;
  const cases = (...argv: string[]) => evals("cases", argv[0]!, "--suite", suite, ...argv.slice(1));
  const made = await cases(
    "create",
    "--title",
    "Two",
    "--json",
    JSON.stringify({ id: "two", steps: asked("Two").steps }),
  );
  expect(made.body).toMatchObject({ declaredId: "two", title: "Two" });
  expect((await cases("get", "--case", "two")).body).toEqual(made.body);
  expect((await cases("get", "--case", made.body.id)).body).toEqual(made.body);
  const changed = await cases("update", "--case", "two", "--title", "Second", "--json", '{"iterations":3}');
  expect(changed.body).toMatchObject({ title: "Second", iterations: 3 });
  const draft = ["generate", "--simple", "2", "--negative", "1", "--idempotency-key", "once"];
  const drafted = await cases(...draft);
  expect(drafted.body).toMatchObject({
    generationModel: "fettle/rules-1",
    counts: { normal: 2, negative: 1 },
  });
  expect((await cases(...draft)).body).toEqual({ ...drafted.body, replayed: true });
  expect((await cases("delete", "--case", "two", "--yes")).body.deleted).toBe(true);
  expect((await cases("list")).body.items).toHaveLength(4);
  const { stdout } = await typed("eval", "cases", "list", "--suite", suite, "--format", "human");
  expect(stdout).toContain("4 cases");
});

test.each([
  ["a suite file instead of a body", ["create", "--json", '{"schemaVersion":"1"}'], "suite file"],
  ["no cases", ["create", "--name", "x", "--server", "s", "--model", "m"], "Give the cases"],
  ["nothing to change", ["update", "--suite", "x"], "Say what to change"],
  ["a word for a number", ["update", "--suite", "x", "--min-iterations", "many"], "whole number, or off"],
  ["neither on nor off", ["schedule", "--suite", "x"], "--enable or --disable"],
  ["both on and off", ["schedule", "--suite", "x", "--enable", "--disable"], "--enable or --disable"],
  [
    "an environment to stop in",
    ["schedule", "--suite", "x", "--disable", "--environment", "e"],
    "goes with --enable",
  ],
  [
    "an interval that is too short",
    ["schedule", "--suite", "x", "--enable", "--interval", "4"],
    "--interval",
  ],
  ["no environment to set", ["environments", "set", "--suite", "x"], "detach all with"],
  ["no suite", ["get"], "--suite is required"],
  ["a mix that is too much", ["cases", "generate", "--suite", "x", "--simple", "11"], "--simple"],
])("%s is a usage error", async (_what, argv, message) => {
  const { exitCode, body } = await evals(...argv);
  expect([exitCode, body.message]).toEqual([2, expect.stringContaining(message)]);
});

test("a suite that is not there is answered with the near ones", async () => {
  await create("Shipping");
  const { body } = await evals("get", "--suite", "Shiping");
  expect(JSON.stringify(body)).toContain("Shipping");
});

test.each<[string, string[]]>([
  ["a new case", ["cases", "create", "--json", JSON.stringify(asked("Two"))]],
  ["a changed case", ["cases", "update", "--case", "c_one", "--json", '{"title":"Other"}']],
  ["a case less", ["cases", "delete", "--case", "c_one", "--yes"]],
  ["another name", ["update", "--name", "Other"]],
])("a suite that a file owns takes no other hand: %s", async (_what, argv) => {
  const { body } = await deployment.cloud(["eval", "run", "--file", "-", "--wait"], {
    stdin: suiteOf({ id: "s_owned" }),
  });
  const { id } = body.launch.suite;
  const refused = await evals(...argv, "--suite", id);
  expect([refused.exitCode, refused.body.code, refused.body.details.code]).toEqual([
    1,
    "CONFLICT",
    "FILE_OWNED_SUITE",
  ]);
  expect([refused.body.hint, refused.body.nextCommand]).toEqual([
    expect.stringContaining("eval run --file"),
    `fettle cloud eval export --suite ${id}`,
  ]);
});
