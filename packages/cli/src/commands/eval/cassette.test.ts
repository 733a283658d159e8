import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { said, startTinyServer } from "../../../../evals/src/agent/testing/tiny-server.ts";
import { type Act, startModelServer, testKey } from "../../../../evals/src/models/testing/model-server.ts";
import { testWorld } from "../../testing/world.ts";

const suite = `schemaVersion: "1"
mode: agentWorkflow
reportingMode: standard
suite: { id: s_tape, name: Taped }
target: { servers: [{ name: tiny }] }
defaults: { model: custom:it:stub, repetitions: 1, passThreshold: 1, validity: {} }
cases:
  - id: c_add
    title: Adds
    steps:
      - { id: ask, kind: prompt, prompt: Add 1 and 2. }
      - { id: called, kind: assert, assertion: { type: toolCalledWith, toolName: add, args: { args: { a: 1 } } } }
      - { id: said, kind: assert, assertion: { type: responseContains, needle: Three } }
`;

const sum = { id: "c1", name: "add", args: '{"a": 1, "b": 2}' };
const recordable: Act[] = [
  { kind: "answer", calls: [sum] },
  { kind: "answer", text: "Three." },
];

async function tapedWorld() {
  const world = await testWorld({ env: { IT_KEY: testKey } });
  const tools = { add: { description: "Adds two numbers", run: () => said("3") } };
  const server = await startTinyServer("tiny", tools);
  const model = await startModelServer(...recordable);
  onTestFinished(async () => {
    await server.kill().catch(() => {});
  });
  const provider = `{ baseUrl: "${model.origin}/v1", apiKey: "\${IT_KEY}" }`;
  await writeFile(join(world.cwd, "suite.yaml"), suite);
  await writeFile(join(world.cwd, "models.yaml"), `models: { providers: { custom: { it: ${provider} } } }\n`);
  const run = (...more: string[]) =>
    world.fettle("eval", "run", "--file", "suite.yaml", "--url", server.url, ...more);
  const folder = join(world.cwd, ".fettle/cassettes/s_tape");
  const live = (mode: string, ...more: string[]) =>
    run("--config", "models.yaml", "--cassette", mode, ...more);
  return { world, tools, server, model, folder, run, live };
}

test("a suite recorded once runs without its model, and a changed description is stale with an exit code of its own", async () => {
  const { world, tools, model, folder, run, live } = await tapedWorld();
  const recorded = await live("record");
  expect(recorded).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining("Recorded .fettle/cassettes/s_tape/"),
  });
  await model.kill();
  const [file] = await readdir(folder);
  expect(await readFile(join(folder, file!), "utf8")).not.toContain(testKey);

  // No key, no provider, no configuration.
  const replayed = await run("--cassette", "replay");
  expect(replayed.exitCode).toBe(0);
  expect(JSON.parse(replayed.stdout)).toMatchObject({
    kind: "eval-run",
    metadata: { facts: { result: "passed", modelClass: "replay" } },
  });
  expect(replayed.stderr).toContain("played back from a recording");

  tools.add.description = "Adds any two numbers";
  const stale = await run("--cassette", "replay");
  expect(stale.exitCode).toBe(5);
  expect(`${stale.stdout}${stale.stderr}`).toContain("the tool add changed");

  const accepted = await run("--cassette", "replay", "--accept-stale", "--out", "accepted.json");
  expect(accepted.exitCode).toBe(3);
  expect(JSON.parse(accepted.stdout)).toMatchObject({ passed: false });
  expect(accepted.stderr).toContain("proves nothing about the server");
  const compared = await world.fettle("eval", "compare", "accepted.json", "accepted.json");
  expect(compared.exitCode).not.toBe(0);
  expect(JSON.parse(await readFile(join(world.cwd, "accepted.json"), "utf8"))).toMatchObject({
    metadata: { facts: { result: "inconclusive", provesNothing: ["staleAccepted"] } },
  });

  tools.add.description = "Adds two numbers";
  await writeFile(join(world.cwd, "suite.yaml"), suite.replace("Add 1 and 2.", "Add them."));
  expect((await run("--cassette", "replay")).exitCode).toBe(5);

  await writeFile(join(folder, file!), "{}");
  const broken = await run("--cassette", "replay");
  expect([broken.exitCode, JSON.parse(broken.stderr).error]).toEqual([
    2,
    expect.objectContaining({ code: "CASSETTE_INVALID", message: expect.stringContaining(file!) }),
  ]);
});

const refused: Act = { kind: "status", status: 400, words: "no more today" };

test("a recording that was lost on the way replaces none, and an empty one is not written", async () => {
  const { model, folder, live } = await tapedWorld();
  model.will(refused, recordable[0]!, refused);
  await live("record");
  const [file] = await readdir(folder);
  const whole = await readFile(join(folder, file!), "utf8");
  for (const _ of ["at the first step", "at the second"]) {
    const lost = await live("record");
    expect([lost.exitCode, lost.stderr]).toEqual([3, expect.stringMatching(/s_tape\/.* kept as it was/)]);
    expect(await readFile(join(folder, file!), "utf8")).toBe(whole);
  }
  await rm(folder, { recursive: true });
  model.will(refused);
  const empty = await live("record");
  expect([empty.exitCode, empty.stderr]).toEqual([
    3,
    expect.stringMatching(/s_tape\/.*nothing was recorded/),
  ]);
  await expect(readdir(folder)).rejects.toThrow("ENOENT");
});

test("verifying tells where the model differs from its recording, or that there is none", async () => {
  const { model, live, tools } = await tapedWorld();
  await live("record");
  model.will(...recordable, recordable[0]!, { kind: "answer", text: "It is Three." });
  expect((await live("verify")).exitCode).toBe(0);
  const differs = await live("verify");
  expect(differs.exitCode).toBe(5);
  expect(differs.stderr).toMatch(/c_add, .*prompt 1, step 2.*"Three\.".*"It is Three\."/);

  model.will(...recordable);
  tools.add.description = "Adds any two numbers";
  const stale = await live("verify");
  expect([stale.exitCode, stale.stderr]).toEqual([5, expect.stringContaining("the tool add changed")]);

  const asked = model.requests.length;
  const none = await live("verify", "--model", "custom:it:other");
  expect(none.exitCode).toBe(5);
  expect(none.stdout).toContain("There is no recording of this case");
  expect(model.requests).toHaveLength(asked);
});

test("a tool that answers something else than when it was recorded is told in the report", async () => {
  const { live, run, tools } = await tapedWorld();
  await live("record");
  tools.add.run = () => said("4");
  const replayed = await run("--cassette", "replay");
  expect(replayed.exitCode).toBe(0);
  expect(JSON.parse(replayed.stdout).metadata.warnings).toContainEqual(
    expect.stringMatching(/c_add.*before prompt 1, step 2.*a tool answered/),
  );
});

test("two replays are the same report but for the run's id, its moments and its durations", async () => {
  const { live, run } = await tapedWorld();
  await live("record");
  const told = async () => {
    const { stdout } = await run("--cassette", "replay");
    const { id } = JSON.parse(stdout).metadata.facts;
    return stdout.replaceAll(id, "<id>").replaceAll(/"(createdAt|completedAt|durationMs)":\d+/g, '"$1":0');
  };
  expect(await told()).toBe(await told());
});

test("of a first recording only what came to its end is kept, and the rest is said to be missing", async () => {
  const { model, live, run } = await tapedWorld();
  model.will(...recordable, refused);
  const partial = await live("record", "--iterations", "3", "--concurrency", "1");
  expect([partial.exitCode, partial.stderr]).toEqual([
    3,
    expect.stringMatching(/only the repetitions that came/),
  ]);
  const replayed = await run("--cassette", "replay", "--iterations", "3");
  expect([replayed.exitCode, replayed.stderr]).toEqual([
    0,
    expect.stringContaining("2 repetitions of custom:it:stub are recorded"),
  ]);
});

test("a recording that cannot be written is told beside the verdict, and loses none", async () => {
  const { world, live } = await tapedWorld();
  await writeFile(join(world.cwd, ".fettle"), "in the way");
  const recorded = await live("record");
  expect([recorded.exitCode, recorded.stderr]).toEqual([3, expect.stringContaining("could not be written")]);
  expect(JSON.parse(recorded.stdout)).toMatchObject({ passed: true });
});

test("a suite recorded with its tools runs without a model and without a server, and proves nothing about one", async () => {
  const { world, model, server, tools, live, run } = await tapedWorld();
  const pinned = `
  - id: c_pinned
    title: Pinned
    steps:
      - { id: call, kind: toolCall, serverName: tiny, toolName: add, arguments: { a: 2 } }
      - { id: came, kind: assert, assertion: { type: toolResultContains, toolName: add, needle: "3" } }
`;
  await writeFile(join(world.cwd, "suite.yaml"), suite + pinned);
  expect((await live("record", "--cassette-tools")).exitCode).toBe(0);
  await model.kill();

  const offline = (...more: string[]) =>
    world.fettle("eval", "run", "--file", "suite.yaml", "--cassette", "replay", "--cassette-tools", ...more);
  tools.add.description = "Adds any two numbers";
  const stale = await run("--cassette", "replay", "--cassette-tools");
  expect([stale.exitCode, stale.stdout]).toEqual([5, expect.stringContaining("the tool add changed")]);

  await server.kill();
  const played = await offline("--out", "offline.json");
  expect(played).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining("proves nothing about the server"),
  });
  expect(JSON.parse(played.stdout)).toMatchObject({
    summary: { total: 2, passed: 2 },
    metadata: { facts: { result: "passed", provesNothing: ["toolsReplayed"] } },
  });
  const other = await offline("--out", "other.json");
  expect(other.exitCode).toBe(0);
  const compared = await world.fettle("eval", "compare", "offline.json", "other.json");
  expect([compared.exitCode, compared.stdout]).toEqual([3, expect.stringContaining("played back")]);

  await writeFile(join(world.cwd, "suite.yaml"), (suite + pinned).replace("a: 2", "a: 9"));
  const missed = await offline();
  expect([missed.exitCode, missed.stdout]).toEqual([5, expect.stringContaining("no answer of add")]);
  await rm(join(world.cwd, ".fettle"), { recursive: true });
  const none = await offline();
  expect([none.exitCode, none.stdout]).toEqual([
    5,
    expect.stringContaining("--cassette record --cassette-tools"),
  ]);
});

test("status says which recordings hold and why not, and prune takes away those of nobody", async () => {
  const { world, tools, server, folder, live } = await tapedWorld();
  const status = async (...more: string[]) => {
    const told = await world.fettle("eval", "cassette", "status", "--file", "suite.yaml", ...more);
    return { exitCode: told.exitCode, cases: JSON.parse(told.stdout).cases };
  };
  expect(await status()).toMatchObject({ exitCode: 5, cases: [{ caseKey: "c_add", state: "missing" }] });
  await live("record");
  const fresh = { state: "fresh", reasons: [], repetitions: 1, hasTools: false };
  expect(await status("--url", server.url)).toMatchObject({ exitCode: 0, cases: [fresh] });
  const human = await world.fettle("--format", "human", "eval", "cassette", "status", "--file", "suite.yaml");
  expect(human.stdout).toMatch(/fresh +c_add +custom:it:stub +today +1/);

  tools.add.description = "Adds any two numbers";
  expect(await status()).toMatchObject({ exitCode: 0 });
  expect(await status("--url", server.url)).toMatchObject({
    exitCode: 5,
    cases: [{ state: "stale", reasons: ["the tool add changed"] }],
  });
  const lost = await world.fettle(
    ...["eval", "cassette", "status", "--file", "suite.yaml", "--url", "http://127.0.0.1:1/mcp"],
  );
  expect(lost.exitCode).toBe(3);

  for (const [from, to, reason] of [
    ["Add 1 and 2.", "Add them.", "prompt 1 changed"],
    ["repetitions: 1,", "repetitions: 1, temperature: 0.5,", "the model's parameters changed"],
    ["repetitions: 1,", "repetitions: 1, systemPrompt: Be brief.,", "the system prompt changed"],
  ] as const) {
    await writeFile(join(world.cwd, "suite.yaml"), suite.replace(from, to));
    expect(await status()).toMatchObject({ exitCode: 5, cases: [{ state: "stale", reasons: [reason] }] });
  }

  await writeFile(join(world.cwd, "suite.yaml"), suite.replace("c_add", "c_sum"));
  const prune = (...more: string[]) =>
    world.fettle("eval", "cassette", "prune", "--file", "suite.yaml", ...more);
  const listed = await prune();
  expect(JSON.parse(listed.stdout)).toMatchObject({
    deleted: false,
    cassettes: [{ reason: expect.stringContaining("c_add") }],
  });
  expect(await readdir(folder)).toHaveLength(1);
  expect((await prune("--yes")).exitCode).toBe(0);
  expect(await readdir(folder)).toHaveLength(0);
});
