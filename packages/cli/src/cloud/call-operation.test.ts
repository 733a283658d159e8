import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { apiKey, testDeployment } from "../testing/deployment.ts";
import { testWorld } from "../testing/world.ts";

const clients = "/api/v1/projects/proj_2/clients";

async function withKey() {
  const deployment = await testDeployment();
  const env = { FETTLE_API_KEY: apiKey, FETTLE_API_URL: deployment.apiUrl, NO_COLOR: "1" };
  const { fettle } = await testWorld({ env });
  return { deployment, fettle };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

/** These answers in turn. */
function inTurn(...answers: ((response: ServerResponse) => void)[]) {
  return (response: ServerResponse) => answers.shift()?.(response);
}

const client = (id: string) => ({ id, name: id, modelId: "m", serverCount: 0 });

test("making something is tried again while the service is busy, and recognised as the same attempt", async () => {
  const { deployment, fettle } = await withKey();
  deployment.answers.set(
    `POST ${clients}`,
    inTurn(
      json(429, { code: "RATE_LIMITED", message: "" }, { "retry-after": "0" }),
      json(201, client("clt_1")),
    ),
  );
  const made = await fettle("cloud", "clients", "create", "--name", "clt_1", "--template", "claude");
  expect({ exitCode: made.exitCode, id: JSON.parse(made.stdout).id }).toEqual({ exitCode: 0, id: "clt_1" });
  const keys = deployment.seen
    .filter(({ method }) => method === "POST")
    .map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toEqual([expect.stringMatching(/^\w{16,}$/), keys[0]]);
});

test("a command that is turned away waits within its --timeout, and says so", async () => {
  const { deployment, fettle } = await withKey();
  const busy = (seconds: string) =>
    json(429, { code: "RATE_LIMITED", message: "Too many requests." }, { "retry-after": seconds });
  const none = json(200, { items: [] });
  deployment.answers.set(
    `GET ${clients}`,
    inTurn(busy("1"), busy("0"), busy("0"), busy("0"), busy("0"), none, busy("5")),
  );
  const waited = await fettle("cloud", "clients", "list");
  expect([waited.exitCode, waited.stderr]).toEqual([
    0,
    expect.stringContaining("Too many requests. Trying again in 1 s.\n"),
  ]);
  const over = await fettle("cloud", "clients", "list", "--timeout", "2000");
  expect([over.exitCode, over.stderr]).toEqual([1, expect.stringContaining("RATE_LIMITED")]);
});

test("a change that was turned away for a moment is made by itself, without a key", async () => {
  const { deployment, fettle } = await withKey();
  deployment.answers.set(
    `DELETE ${clients}/Claude`,
    inTurn(
      json(429, { code: "RATE_LIMITED", message: "" }, { "retry-after": "0" }),
      json(200, { id: "clt_1", deleted: true }),
    ),
  );
  const { exitCode } = await fettle("cloud", "clients", "delete", "--yes", "--client", "Claude");
  expect(exitCode).toBe(0);
});

test("a list is read to its last page", async () => {
  const { deployment, fettle } = await withKey();
  deployment.answers.set(
    `GET ${clients}`,
    inTurn(json(200, { items: [client("a")], nextCursor: "2" }), json(200, { items: [client("b")] })),
  );
  const { stdout } = await fettle("cloud", "clients", "list");
  const listed = JSON.parse(stdout);
  expect(listed).toMatchObject({ project: { id: "proj_2" }, otherProjects: [{ id: "proj_1" }] });
  expect(listed.items.map(({ id }: { id: string }) => id)).toEqual(["a", "b"]);
  expect(listed).not.toHaveProperty("nextCursor");
  expect(deployment.seen.at(-1)?.path).toBe(`${clients}?cursor=2`);
});

test("a list of which --limit asks for a part is read no further, and says where the rest begins", async () => {
  const { deployment, fettle } = await withKey();
  const servers = "/api/v1/projects/proj_2/servers";
  const history = `${servers}/srv_1/history`;
  deployment.answers.set(`GET ${servers}`, json(200, { items: [{ id: "srv_1", name: "shop" }] }));
  deployment.answers.set(`GET ${history}`, json(200, { items: [], nextCursor: "2" }));
  const list = ["cloud", "projects", "servers", "history", "--server", "srv_1"];
  const { stdout } = await fettle(...list, "--limit", "1");
  expect(JSON.parse(stdout).nextCursor).toBe("2");
  expect(deployment.seen.filter(({ path }) => path.startsWith(history))).toHaveLength(1);
});

test.each([
  ["a list that must not be empty", ["server-groups", "create", "--name", "a"], "--server is required."],
  ["the thing in the path", ["clients", "get"], "--client is required."],
  [
    "one spelling of it",
    ["clients", "get", "--client", "a", "--host", "b"],
    "--host is the old spelling of --client; use one of them.",
  ],
  [
    "something to change",
    ["environments", "update", "--environment", "a", "--expected-revision", "1"],
    "Say what to change: --name, --host-id, --description, --model, --sandbox-image, --clear-model, --file or --json.",
  ],
  [
    "a value or nothing",
    [
      "environments",
      "update",
      "--environment",
      "a",
      "--expected-revision",
      "1",
      "--model",
      "m",
      "--clear-model",
    ],
    "Use --model or --clear-model, not both.",
  ],
  [
    "what the document leaves out",
    ["environments", "create", "--json", '{"hostId":"clt_1"}'],
    "--name is required, here or in the document.",
  ],
  [
    "a value the contract knows",
    ["clients", "create", "--name", "a", "--template", "nope"],
    expect.stringMatching(/^--template is one of fettle, claude, .*, not "nope"\.$/),
  ],
])("asks for %s before any request", async (_, words, message) => {
  const { deployment, fettle } = await withKey();
  const { stderr, exitCode } = await fettle("cloud", ...words);
  expect(JSON.parse(stderr).error).toMatchObject({ code: "USAGE_ERROR", message });
  expect({ exitCode, seen: deployment.seen }).toEqual({ exitCode: 2, seen: [] });
});

test("what is gone is named by what it was found by", async () => {
  const { deployment, fettle } = await withKey();
  deployment.answers.set(`DELETE ${clients}/Claude`, json(200, { id: "clt_1", deleted: true }));
  const { stdout } = await fettle(
    "cloud",
    "clients",
    "delete",
    "--yes",
    "--client",
    "Claude",
    "--format",
    "human",
  );
  expect(stdout).toBe("✓ Deleted Claude (clt_1)\n");
});

test("deleting wants --yes where nobody can be asked, and says the whole command, before any request", async () => {
  const { deployment, fettle } = await withKey();
  const words = ["--project", "proj_2", "--client", "My Claude", "--force"];
  const { stderr, exitCode } = await fettle("cloud", "clients", "delete", ...words);
  expect({ exitCode, seen: deployment.seen }).toEqual({ exitCode: 2, seen: [] });
  expect(JSON.parse(stderr).error).toMatchObject({
    code: "USAGE_ERROR",
    nextCommand: "fettle cloud clients delete --client 'My Claude' --force --project proj_2 --yes",
  });
});

test.each([
  ["the name", "Claude\n", 0, ["clt_1"]],
  ["something else", "claude!\n", 2, []],
  ["nothing", "", 2, []],
])("on a terminal %s is typed before anything is deleted", async (_, typed, exitCode, deleted) => {
  const { deployment } = await withKey();
  deployment.answers.set(`GET ${clients}/clt_1`, json(200, { ...client("clt_1"), name: "Claude" }));
  deployment.answers.set(`DELETE ${clients}/clt_1`, json(200, { id: "clt_1", deleted: true }));
  const env = { FETTLE_API_KEY: apiKey, FETTLE_API_URL: deployment.apiUrl, NO_COLOR: "1" };
  const world = await testWorld({ env, stdin: typed, typed: true });
  const said = await world.fettle("cloud", "clients", "delete", "--client", "clt_1");
  expect(said.stderr).toContain("This deletes Claude (clt_1) for good. Type its name");
  expect(said.exitCode).toBe(exitCode);
  const gone = deployment.seen
    .filter(({ method }) => method === "DELETE")
    .map(({ path }) => path.split("/").at(-1));
  expect(gone).toEqual(deleted);
});
