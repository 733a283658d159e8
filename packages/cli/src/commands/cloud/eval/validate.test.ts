import { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type CloudService, startCloudService } from "../../../testing/cloud-service.ts";
import { testWorld } from "../../../testing/world.ts";

const suiteOf = (target: string, steps: string) => `schemaVersion: "1"
mode: agentWorkflow
reportingMode: standard
suite: { id: s_one, name: One }
target: ${target}
defaults: { model: fettle/rules-1, repetitions: 1, passThreshold: 1, validity: {} }
cases:
  - id: c_one
    title: One
    steps: [${steps}]
`;
const call = (server: string, tool: string) =>
  `{ id: t, kind: toolCall, serverName: ${server}, toolName: ${tool}, arguments: {} }`;
const ask =
  "{ id: p, kind: prompt, prompt: 'Call nonsense_tool' }, { id: a, kind: assert, assertion: { type: toolCalledAtLeastOnce, toolName: nonsense } }";

test("without --project nobody is asked, whatever key, project or link there is", async () => {
  const env = { FETTLE_API_KEY: "sk_x", FETTLE_API_URL: "http://127.0.0.1:9", FETTLE_PROJECT: "Alpha" };
  const world = await testWorld({ env, stdin: suiteOf("{ servers: [{ name: x }] }", call("x", "y")) });
  const connecting = vi.spyOn(Socket.prototype, "connect").mockImplementation(() => {
    throw new Error("no network in this test");
  });
  try {
    const { exitCode, stdout } = await world.fettle("cloud", "eval", "validate", "--file", "-");
    expect([exitCode, JSON.parse(stdout).projectValidation]).toEqual([0, undefined]);
    expect(connecting).not.toHaveBeenCalled();
  } finally {
    connecting.mockRestore();
  }
});

test("a credential or a network that fails is an error on stderr, not a finding", async () => {
  const env = { FETTLE_API_KEY: "sk_x", FETTLE_API_URL: "http://127.0.0.1:1" };
  const world = await testWorld({ env, stdin: suiteOf("{ servers: [{ name: x }] }", call("x", "y")) });
  const { exitCode, stdout, stderr } = await world.fettle(
    "cloud",
    "eval",
    "validate",
    "--file",
    "-",
    "--project",
    "Alpha",
  );
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(JSON.parse(stderr.trim().split("\n").at(-1)!).error.code).toBe("SERVER_UNREACHABLE");
});

describe("with --project", () => {
  let cloud: CloudService;
  let server: { id: string; name: string };
  beforeAll(async () => {
    cloud = await startCloudService();
    const { body } = await cloud.api("/servers");
    server = body.items[0];
  });
  afterAll(() => cloud.stop());

  const validate = (stdin: string) =>
    cloud.cloud(["eval", "validate", "--file", "-", "--project", cloud.projectId], { stdin });

  test("what exists is found, by name and by id", async () => {
    const { exitCode, body } = await validate(
      suiteOf(`{ servers: [{ name: "${server.name}" }] }`, call(`"${server.name}"`, "search_books")),
    );
    expect([exitCode, body.valid, body.projectValidation]).toEqual([
      0,
      true,
      expect.objectContaining({ valid: true, targets: ["servers"], findings: [] }),
    ]);
    const byId = call(`other, serverId: ${server.id}`, "search_books");
    expect((await validate(suiteOf(`{ servers: [{ name: x, id: ${server.id} }] }`, byId))).exitCode).toBe(0);
  });

  test.each([
    ["a tool that is not there", "NAME", "no_such_tool", "TOOL_NOT_FOUND"],
    ["a server that is not there", "nobody", "search_books", "SERVER_NOT_FOUND"],
  ])("%s is a finding: exit 1", async (_, name, tool, code) => {
    const { exitCode, body } = await validate(
      suiteOf(
        `{ servers: [{ name: "${server.name}" }, { name: nobody }] }`,
        call(name === "NAME" ? `"${server.name}"` : name, tool),
      ),
    );
    expect(exitCode).toBe(1);
    expect(body.projectValidation).toMatchObject({
      valid: false,
      findings: [{ code, pointer: "cases[0].steps[0]" }],
    });
  });

  test("each target is judged alone: a host with an explicitly empty set has nothing", async () => {
    const target = `{ servers: [{ name: "${server.name}" }], hosts: [{ name: one, servers: [{ name: "${server.name}" }] }, { name: two, servers: [] }] }`;
    const { exitCode, body } = await validate(suiteOf(target, call(`"${server.name}"`, "search_books")));
    expect(exitCode).toBe(1);
    expect(body.projectValidation.findings.map((finding: { target: string }) => finding.target)).toEqual([
      "two",
    ]);
  });

  test("what a prompt or an assertion names does not count", async () => {
    const { exitCode, body } = await validate(suiteOf("{ servers: [{ name: nobody }] }", ask));
    expect([exitCode, body.projectValidation.targets]).toEqual([0, []]);
  });
});
