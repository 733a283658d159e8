/** @module A name that nothing has is answered with the near ones, wherever names are typed; each row is one place. */
import { join } from "node:path";
import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiKey, testDeployment } from "../testing/deployment.ts";
import { testWorld } from "../testing/world.ts";

const sampleSuite = join(import.meta.dirname, "../../../samples/src/bookshop/suite.yaml");

let shop: Awaited<ReturnType<typeof startBookshop>>;
beforeAll(async () => {
  shop = await startBookshop();
});
afterAll(() => shop.close());

const local: [string, string[], string][] = [
  ["a command", ["tols", "list"], "tools"],
  ["a command asked for help", ["help", "tools", "lst"], "tools list"],
  ["a command that stands elsewhere", ["help", "whoami"], "cloud whoami"],
  ["a flag's value", ["tools", "list", "--protocol-version", "2025-11-26"], "2025-11-25"],
  ["a shell", ["completion", "bahs"], "bash"],
  ["a tool", ["tools", "call", "--tool-name", "serch_books"], "search_books"],
  ["a prompt", ["prompts", "get", "--prompt-name", "recommend_book"], "recommend_books"],
  ["a host", ["tools", "list", "--host", "claud"], "claude"],
  ["hosts", ["compat", "--host", "cursr"], "cursor"],
  ["a case", ["eval", "run", "--file", sampleSuite, "--case", "c_serch"], "c_search"],
  ["a check", ["protocol", "conformance", "--check-id", "server-initialise"], "server-initialize"],
  [
    "a check of tasks",
    ["tasks", "conformance", "--check-id", "tasks-wire-resolved"],
    "tasks-wire-resolvable",
  ],
  ["a check of apps", ["apps", "conformance", "--check-id", "ui-tool-present"], "ui-tools-present"],
];

test.each(local)("%s", async (_, argv, near) => {
  const { fettle } = await testWorld({ env: { NO_COLOR: "1" } });
  const words = ["tools", "prompts", "compat", "protocol", "tasks", "apps", "eval"].includes(argv[0]!)
    ? [...argv, "--url", shop.url]
    : argv;
  const told = await fettle(...words, "--format", "json");
  const { error } = JSON.parse(told.stderr.trim().split("\n").at(-1)!);
  expect(error.choices).toContain(near);
  expect(error.hint ?? error.message).toEqual(expect.any(String));
  const read = await fettle(...words, "--format", "human");
  expect(read.stderr.replaceAll(/`npx fettle |`fettle /g, "")).toContain(`Did you mean ${near}`);
  expect(told.exitCode).not.toBe(0);
});

test.each([
  ["a project", ["projects", "servers", "list", "--project", "Alphq"], "Alpha"],
  ["a client", ["clients", "get", "--project", "proj_2", "--client", "Cluade"], "Claude"],
])("%s of a deployment", async (_, argv, near) => {
  const deployment = await testDeployment();
  const say = (status: number, body: unknown) => (response: import("node:http").ServerResponse) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const clients = "/api/v1/projects/proj_2/clients";
  deployment.answers.set(`GET ${clients}/Cluade`, say(404, { code: "NOT_FOUND", message: "No client." }));
  deployment.answers.set(`GET ${clients}`, say(200, { items: [{ id: "clt_1", name: "Claude" }] }));
  const { fettle } = await testWorld({ env: { FETTLE_API_KEY: apiKey, FETTLE_API_URL: deployment.apiUrl } });
  const { stderr, exitCode } = await fettle("cloud", ...argv, "--quiet");
  expect(JSON.parse(stderr).error).toMatchObject({
    code: "NOT_FOUND",
    choices: expect.arrayContaining([near]),
    hint: `Did you mean ${near}?`,
  });
  expect(exitCode).toBe(1);
});
