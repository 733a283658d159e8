import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { said, startTinyServer } from "../../../../evals/src/agent/testing/tiny-server.ts";
import { startModelServer, testKey } from "../../../../evals/src/models/testing/model-server.ts";
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

test("a suite recorded once runs without its model, and a changed description is stale with an exit code of its own", async () => {
  const world = await testWorld({ env: { IT_KEY: testKey } });
  const tools = { add: { description: "Adds two numbers", run: () => said("3") } };
  const server = await startTinyServer("tiny", tools);
  const model = await startModelServer(
    { kind: "answer", calls: [{ id: "c1", name: "add", args: '{"a": 1, "b": 2}' }] },
    { kind: "answer", text: "Three." },
  );
  onTestFinished(async () => {
    await server.kill();
  });
  const provider = `{ baseUrl: "${model.origin}/v1", apiKey: "\${IT_KEY}" }`;
  await writeFile(join(world.cwd, "suite.yaml"), suite);
  await writeFile(join(world.cwd, "models.yaml"), `models: { providers: { custom: { it: ${provider} } } }\n`);
  const run = (...more: string[]) =>
    world.fettle("eval", "run", "--file", "suite.yaml", "--url", server.url, ...more);

  const recorded = await run("--config", "models.yaml", "--cassette", "record");
  expect(recorded).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining("Recorded .fettle/cassettes/s_tape/"),
  });
  await model.kill();
  const folder = join(world.cwd, ".fettle/cassettes/s_tape");
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
  expect(accepted.exitCode).toBe(0);
  expect(accepted.stderr).toContain("proves nothing about the server");
  const compared = await world.fettle("eval", "compare", "accepted.json", "accepted.json");
  expect(compared.exitCode).not.toBe(0);
  expect(JSON.parse(await readFile(join(world.cwd, "accepted.json"), "utf8"))).toMatchObject({
    metadata: { facts: { provesNothing: ["staleAccepted"] } },
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
