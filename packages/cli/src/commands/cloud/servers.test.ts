// biome-ignore-all lint/suspicious/noTemplateCurlyInString: open places of a configuration look like this
/** @module The commands on saved servers against the real service: kept, imported, connected through consent. */
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { startBookshop, startProtectedBookshop } from "@fettle/samples";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type CloudService, startCloudService } from "../../testing/cloud-service.ts";
import { spawnFettle } from "../../testing/process.ts";
import { type TestWorldOptions, temporaryFolder } from "../../testing/world.ts";

let cloud: CloudService;
beforeAll(async () => {
  cloud = await startCloudService();
});
afterAll(() => cloud?.stop());

const servers = (argv: readonly string[], options?: TestWorldOptions) =>
  cloud.cloud(["projects", "servers", ...argv], options);
const listed = async () => (await servers(["list"])).body.items as { name: string; id: string }[];
const named = async (name: string) => (await listed()).find((server) => server.name === name);

/** Drafts and sharing need no container engine. */
async function sharedImage(name: string): Promise<string> {
  const file = join(await temporaryFolder(), "image.yaml");
  await writeFile(file, `base: debian:13@sha256:${"a".repeat(64)}\n`);
  const made = await cloud.cloud(["images", "create", "--name", name, "--file", file]);
  const shared = await cloud.cloud(["images", "promote", "--image", name]);
  expect([made.exitCode, shared.exitCode]).toEqual([0, 0]);
  return made.body.id;
}

describe("saved servers", () => {
  test("are added, listed, changed and removed, and keep their secrets to themselves", async () => {
    const address = ["--name", "Shop", "--url", "https://shop.example/mcp?key=canary"];
    const made = await servers(["add", ...address, "--header", "Authorization: Bearer canary"]);
    expect(made.body).toMatchObject({
      name: "Shop",
      url: "https://shop.example/mcp?key=***",
      headerNames: ["Authorization"],
      enabled: true,
    });
    expect((await servers(["add", ...address])).body).toMatchObject({
      code: "CONFLICT",
      details: { code: "NAME_TAKEN" },
    });
    // Without a command, and in the project of the flag.
    const all = await servers(["--project", cloud.projectId]);
    expect(all.body).toMatchObject({ project: { id: cloud.projectId }, otherProjects: [] });
    expect(all.body.items).toContainEqual(made.body);
    expect((await servers(["get", "--server", "shop"])).body).toEqual(made.body);
    const changed = await servers([
      "update",
      "--server",
      "shop",
      "--disable",
      "--clear-headers",
      "--name",
      "Store",
    ]);
    expect(changed.body).toMatchObject({ id: made.body.id, name: "Store", enabled: false, headerNames: [] });
    const whole = await servers([
      "update",
      "--server",
      "Store",
      "--body",
      '{"oauthScopes":["a"]}',
      "--enable",
    ]);
    expect(whole.body).toMatchObject({ enabled: true, oauthScopes: ["a"] });
    const human = await servers(["list", "--format", "human"], { terminal: 100 });
    expect(human.stdout).toMatch(/^ID +NAME +TRANSPORT +URL +ENABLED\n/);
    expect((await servers(["delete", "--server", "Store", "--yes"])).body).toMatchObject({
      id: made.body.id,
      deleted: true,
    });
    expect((await servers(["get", "--server", "Store"])).body.code).toBe("NOT_FOUND");
    expect(`${all.stdout}${human.stdout}${changed.stdout}`).not.toContain("canary");
  });

  test("name the image of a command by its id or its name, and a near one where none is called that", async () => {
    const [desk, other] = [await sharedImage("Desk image"), await sharedImage("Other image")];
    const command = ["--body", '{"command":"node"}'];
    const made = await servers(["add", "--name", "Commanded", ...command, "--image", "desk image"]);
    expect(made.body).toMatchObject({ transportType: "stdio", sandboxImageId: desk });
    const change = ["update", "--server", "Commanded"];
    expect((await servers([...change, "--image", "Other image"])).body.sandboxImageId).toBe(other);
    expect((await servers([...change, "--image", desk])).body.sandboxImageId).toBe(desk);
    const cleared = await servers([...change, "--body", '{"sandboxImageId":null}']);
    expect(cleared.body).not.toHaveProperty("sandboxImageId");
    const unknown = await servers([...change, "--image", "Desk imgae"]);
    expect(unknown).toMatchObject({
      exitCode: 1,
      body: { code: "NOT_FOUND", hint: "Did you mean Desk image?" },
    });
    const file = join(await temporaryFolder(), "image.yaml");
    await writeFile(file, `base: debian:13@sha256:${"b".repeat(64)}\n`);
    await cloud.cloud(["images", "create", "--name", "My draft", "--file", file]);
    const draft = await servers([...change, "--image", "my draft"]);
    expect(draft.body.details.code).toBe("IMAGE_NOT_SHARED");
    await servers(["remove", "--server", "Commanded", "--yes"]);
  });

  test.each([
    ["no name", ["add", "--url", "https://x.example"], "--name is required"],
    ["no address", ["add", "--name", "x"], "--url is required"],
    ["a body that is no object", ["add", "--body", "[]"], "must be a JSON object"],
    [
      "a header without a name",
      ["add", "--name", "x", "--url", "https://x.example", "--header", "x"],
      "--header",
    ],
    ["nothing to change", ["update", "--server", "x"], "Say what to change"],
    ["on and off", ["update", "--server", "x", "--enable", "--disable"], "not both"],
    ["headers and none", ["update", "--server", "x", "--header", "A: b", "--clear-headers"], "not both"],
    ["an unknown command", ["nope"], "Unknown command 'nope'"],
    ["an address of another kind", ["connect", "--url", "ftp://x"], "http or https"],
    ["a file and a host", ["import", "x.json", "--from", "cursor"], "not both"],
    ["a value without a name", ["import", "-", "--var", "x"], "name=value"],
  ])("%s is a usage error", async (_what, argv, message) => {
    const { exitCode, body } = await servers(argv);
    expect([exitCode, body.code]).toEqual([2, "USAGE_ERROR"]);
    expect(body.message).toContain(message);
  });

  test.each(["get", "add", "update", "remove", "import"])(
    "%s acts on no project that nobody named",
    async (word) => {
      const flags = {
        get: ["--server", "x"],
        update: ["--server", "x", "--enable"],
        remove: ["--server", "x", "--yes"],
      };
      const own =
        word === "add" ? ["--name", "x", "--url", "https://x.example"] : (flags[word as "get"] ?? ["-"]);
      const stdin = '{"mcpServers":{"x":{"url":"https://x.example"}}}';
      const unset = { FETTLE_PROJECT: undefined as unknown as string };
      const { exitCode, body } = await servers([word, ...own], { stdin, env: unset });
      expect([exitCode, body.message]).toEqual([2, expect.stringContaining("Say which project")]);
    },
  );
});

describe("import", () => {
  let cwd: string;
  let home: string;
  beforeEach(async () => {
    cwd = await temporaryFolder();
    home = await temporaryFolder();
    for (const { name, id } of await listed())
      if (name !== "Bookshop") await servers(["remove", "--server", id, "--yes"]);
  });
  const put = async (path: string, content: string | object) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  };
  const bring = (argv: readonly string[], options: TestWorldOptions = {}) =>
    servers(["import", ...argv], { cwd, home, ...options });

  test("saves all servers of this folder's file, with secrets that nobody sees again", async () => {
    await put(join(cwd, ".mcp.json"), {
      mcpServers: {
        remote: { url: "https://remote.example/mcp?k=canary", headers: { Authorization: "Bearer ${TOKEN}" } },
        files: { command: "npx", args: ["files"], env: { SECRET: "canary" }, disabled: true },
      },
    });
    const planned = await bring(["--dry-run"], { env: { TOKEN: "canary" } });
    expect(planned.body.servers).toEqual([
      {
        name: "remote",
        action: "create",
        transportType: "http",
        enabled: true,
        url: "https://remote.example/mcp?k=***",
        headerNames: ["Authorization"],
        filled: ["TOKEN"],
      },
      {
        name: "files",
        action: "create",
        transportType: "stdio",
        enabled: false,
        envNames: ["SECRET"],
        tunnel: 'fettle cloud tunnel --server files -e SECRET="$SECRET" -- npx files',
      },
    ]);
    expect(await named("remote")).toBeUndefined();
    const done = await bring([], { env: { TOKEN: "canary" } });
    expect(done.body.servers.map((server: { id: string }) => server.id)).toEqual([
      (await named("remote"))!.id,
      (await named("files"))!.id,
    ]);
    expect(await named("remote")).toMatchObject({ headerNames: ["Authorization"] });
    expect(await named("files")).toMatchObject({ transportType: "stdio", enabled: false });
    expect(`${planned.stdout}${done.stdout}${done.stderr}`).not.toContain("canary");
    const human = await bring(["--dry-run", "--on-clash", "replace", "--format", "human"], {
      env: { TOKEN: "x" },
    });
    expect(human.stdout).toContain("~ remote will be replaced");
    expect(human.stdout).toContain("runs on your machine while this runs (or in an image: --image)");
    expect(human.stdout).toContain("2 to replace from");
  });

  test("tells the tunnel of a local one with the project that was named, and variables for what is secret", async () => {
    const args = ["server.js", "--token", "canary"];
    await put(join(cwd, ".mcp.json"), {
      mcpServers: { local: { command: "node", args, env: { SHOP_KEY: "canary" } } },
    });
    const argv = ["--dry-run", "--project", cloud.projectId];
    const tunnel = `fettle cloud tunnel --server local -e SHOP_KEY="$SHOP_KEY" --project ${cloud.projectId} -- node server.js --token "$TOKEN"`;
    expect((await bring(argv)).body.servers[0].tunnel).toBe(tunnel);
    expect((await bring([...argv, "--format", "human"])).stdout).toContain(tunnel);
  });

  test("with an image, saves what a command starts to run in it, its open places filled", async () => {
    const id = await sharedImage("import desk");
    await put(join(cwd, ".mcp.json"), {
      mcpServers: {
        remote: { url: "https://remote.example/mcp" },
        files: { command: "node", args: ["/app/files.js"], env: { SECRET: "${TOKEN}" } },
      },
    });
    const open = await bring(["--image", "import desk", "--dry-run"]);
    expect(open.body.message).toContain("files: leaves ${TOKEN} open");
    const filled = ["--image", "import desk", "--var", "TOKEN=canary"];
    const human = await bring([...filled, "--dry-run", "--format", "human"]);
    expect(human.stdout).toContain("runs in the image import desk");
    expect(human.stdout).not.toContain("fettle cloud tunnel");
    const done = await bring(filled);
    expect(done.body.servers).toMatchObject([
      { name: "remote", transportType: "http" },
      { name: "files", transportType: "stdio", envNames: ["SECRET"], image: { id, name: "import desk" } },
    ]);
    expect(done.body.servers[1].tunnel).toBeUndefined();
    expect(await named("files")).toMatchObject({ sandboxImageId: id });
    expect((await named("remote")) as object).not.toHaveProperty("sandboxImageId");
    expect(`${done.stdout}${human.stdout}`).not.toContain("canary");
    const unknown = await bring(["--image", "import dsek"]);
    expect([unknown.body.code, unknown.body.hint]).toEqual(["NOT_FOUND", "Did you mean import desk?"]);
  });

  test.each([
    ["skip", { action: "skip" }, "https://old.example/"],
    ["replace", { action: "replace", credentialsDropped: ["headers"] }, "https://new.example/"],
    ["rename", { action: "create", savedAs: "Taken 2" }, "https://old.example/"],
  ])("a name that is taken: %s", async (rule, planned, address) => {
    const old = ["--url", "https://old.example/", "--header", "X-Old: 1"];
    await servers(["add", "--name", "taken", ...old]);
    const file = await put(join(cwd, "c.json"), { mcpServers: { Taken: { url: "https://new.example/" } } });
    const { body: plan } = await bring([file, "--on-clash", rule, "--dry-run"]);
    expect(plan.servers).toMatchObject([planned]);
    const { stdout } = await bring([file, "--on-clash", rule, "--dry-run", "--format", "human"]);
    const said = "! of the one before, its headers will be forgotten";
    expect(stdout.includes(said)).toBe(rule === "replace");
    const { body } = await bring([file, "--on-clash", rule]);
    expect(body.servers).toMatchObject([planned]);
    const kept = (await servers(["get", "--server", "taken"])).body;
    expect([kept.url, kept.headerNames]).toEqual([address, rule === "replace" ? [] : ["X-Old"]]);
  });

  test("is all or nothing: a file with a fault saves none of its servers", async () => {
    const good = { url: "https://good.example/" };
    const cases: [object, string][] = [
      [{ good, bad: { url: "ftp://x" } }, "bad: “ftp://x” is not an http or https address"],
      [
        { good, bad: { url: "https://x.example", headers: { A: "${NOT_SET_HERE}" } } },
        "bad: leaves ${NOT_SET_HERE} open",
      ],
      [{ good, GOOD: good }, "GOOD: is in the file twice"],
      [{ good, bad: { url: "https://me:pw@x.example" } }, "Send credentials in a header".toLowerCase()],
      [{ good, bad: { url: "https://x.example", headers: { "a b": "c" } } }, "bad: headers.a b"],
      [{ good, ["x".repeat(201)]: good }, "name: "],
    ];
    for (const [mcpServers, problem] of cases) {
      const file = await put(join(cwd, "c.json"), { mcpServers });
      const { exitCode, body } = await bring([file]);
      expect([exitCode, body.code], problem).toEqual([2, "USAGE_ERROR"]);
      expect(body.message.toLowerCase()).toContain(problem.toLowerCase());
      expect(await named("good")).toBeUndefined();
      expect((await bring([file, "--only", "good", "--dry-run"])).exitCode).toBe(0);
    }
    const file = await put(join(cwd, "c.json"), { mcpServers: { good } });
    await servers(["add", "--name", "good", "--url", "https://old.example/"]);
    expect((await bring([file, "--on-clash", "fail"])).body.message).toContain("is the name of a server");
    expect((await bring([file, "--only", "absent"])).body.message).toContain("absent: is not in the file");
  });

  test("takes back what it saved when a later server is refused", async () => {
    const file = await put(join(cwd, "c.json"), {
      mcpServers: { first: { url: "https://first.example/" }, second: { url: "https://second.example/" } },
    });
    await using refusing = await refusingOnce("second");
    const env = { FETTLE_API_URL: refusing.url };
    const { exitCode, body } = await bring([file], { env });
    expect([exitCode, body.code]).toEqual([1, "CONFLICT"]);
    expect(body.message).toBe("second could not be saved: Not this one. Nothing was saved.");
    expect(refusing.saved).toEqual(["first"]);
    expect(await named("first")).toBeUndefined();
    expect((await bring([file], { env })).body.servers).toHaveLength(2);
    expect(await named("first")).toBeDefined();
  });

  test.each([
    ["nothing to import", undefined, [], /no configuration in this folder/],
    ["two files", { ".mcp.json": "{}", "mcp.json": "{}" }, [], /has 2 configurations/],
    ["a file that is not there", undefined, ["gone.json"], /cannot be read/],
    ["a folder", undefined, ["."], /cannot be read/],
    ["an empty file", { "a.json": " " }, ["a.json"], /is empty/],
    ["half a file", { "a.json": '{"mcpServers": {' }, ["a.json"], /This is not JSON/],
    ["a file of something else", { "a.json": '{"name":"x"}' }, ["a.json"], /No server was found/],
    ["broken TOML", { "a.toml": "[mcp_servers" }, ["a.toml"], /This is not TOML/],
    ["broken YAML", { "a.yaml": "a: [" }, ["a.yaml"], /This is not YAML/],
    ["a YAML bomb", { "a.yaml": "a: &a [x]\nb: [*a,*a]" }, ["a.yaml"], /This is not YAML/],
  ])("%s is told in plain words", async (_what, files, argv, message) => {
    for (const [path, content] of Object.entries(files ?? {})) await put(join(cwd, path), content);
    const { exitCode, body } = await bring(argv);
    expect([exitCode, body.code]).toEqual([2, "USAGE_ERROR"]);
    expect(body.message).toMatch(message);
  });

  test.each([
    [
      "codex",
      ".codex/config.toml",
      '[mcp_servers.shop]\nurl = "https://shop.example/"\nbearer_token_env_var = "T"\n',
    ],
    [
      "goose",
      ".config/goose/config.yaml",
      "extensions:\n  shop:\n    type: streamable_http\n    uri: https://shop.example/\n  memory:\n    type: builtin\n",
    ],
    ["cursor", ".cursor/mcp.json", '{"mcpServers":{"shop":{"url":"https://shop.example/",},}} // mine'],
    [
      "windsurf",
      ".codeium/windsurf/mcp_config.json",
      '{"mcpServers":{"shop":{"serverUrl":"https://shop.example/"}}}',
    ],
    ["zed", ".config/zed/settings.json", '{"context_servers":{"shop":{"url":"https://shop.example/"}}}'],
    [
      "claude-code",
      ".claude.json",
      '{"mcpServers":{},"projects":{"<cwd>":{"mcpServers":{"shop":{"url":"https://shop.example/"}}}}}',
    ],
  ])("reads the file of %s where it keeps it", async (host, path, content) => {
    await put(join(home, path), content.replace("<cwd>", cwd));
    const { body } = await bring(["--from", host, "--only", "shop", "--var", "T=t"]);
    expect(body.servers).toMatchObject([{ name: "shop", action: "create", url: "https://shop.example/" }]);
    expect(await named("shop")).toBeDefined();
    const missing = await servers(["import", "--from", host], { home: cwd });
    expect([missing.exitCode, missing.body.code]).toEqual([1, "OPERATIONAL_ERROR"]);
  });

  test("asks at a terminal, and does nothing when the answer is no", async () => {
    await put(join(cwd, "mcp.json"), { servers: { asked: { url: "https://asked.example/" } } });
    const at = { typed: true, terminal: 100 };
    const no = await bring([], { ...at, stdin: "n\n" });
    expect([no.exitCode, await named("asked")]).toEqual([2, undefined]);
    expect(no.stderr).toContain("Save 1 server from");
    const yes = await bring([], { ...at, stdin: "y\n" });
    expect(yes.exitCode).toBe(0);
    expect(await named("asked")).toBeDefined();
  });
});

describe("connect", () => {
  test("brings an open server in and waits until it is ready", async () => {
    await using stack = new AsyncDisposableStack();
    const shop = await startBookshop();
    stack.defer(() => shop.close());
    const { exitCode, body, stderr } = await servers(["connect", "--url", shop.url, "--name", "Open shop"]);
    expect(exitCode).toBe(0);
    expect(body).toMatchObject({
      status: "ready",
      projectId: cloud.projectId,
      server: { name: "Open shop" },
    });
    expect(stderr).toBe("");
    expect(await named("Open shop")).toMatchObject({ id: body.serverId });
    const status = await servers(["connect-status", "--request", body.connectionRequestId]);
    expect(status.body.status).toBe("ready");
    // What has ended stays as it ended.
    const cancelled = await servers(["connect-cancel", "--request", body.connectionRequestId]);
    expect([cancelled.exitCode, cancelled.body.status]).toEqual([0, "ready"]);
  });

  test("hands the private link of a server that asks for consent to its owner, and stops watching on Ctrl-C", async () => {
    await using stack = new AsyncDisposableStack();
    const shop = await startProtectedBookshop();
    stack.defer(() => shop.close());
    const watching = spawnFettle(
      ["cloud", "projects", "servers", "connect", "--url", shop.url, "--no-browser", "--quiet"],
      { cwd: await temporaryFolder(), env: cloud.env },
    );
    await watching.untilSaid("/connect#token=fcl_");
    expect(watching.stderr()).toMatch(/Private link for \S+@\S+, who must be signed in there:/);
    watching.child.kill("SIGINT");
    expect((await watching.exit).code).toBe(1);
    const request = JSON.parse(watching.stdout());
    expect(request).toMatchObject({ status: "awaiting_authorization", projectId: cloud.projectId });
    // It goes on without us, until it is cancelled; cancelling twice changes nothing.
    const id = ["--request", request.connectionRequestId];
    expect((await servers(["connect-status", ...id])).body.status).toBe("awaiting_authorization");
    for (const _time of [1, 2]) {
      const cancelled = await servers(["connect-cancel", ...id]);
      expect([cancelled.exitCode, cancelled.body.status]).toEqual([0, "cancelled"]);
    }
  });

  test("with five requests open names them, and goes on when one is cancelled", async () => {
    await using stack = new AsyncDisposableStack();
    const shop = await startProtectedBookshop();
    stack.defer(() => shop.close());
    const ask = (number: number) => servers(["connect", "--url", `${shop.url}?n=${number}`, "--no-wait"]);
    const open: string[] = [];
    for (let number = 0; number < 5; number++) {
      const { exitCode, body, stderr } = await ask(number);
      expect(exitCode).toBe(0);
      expect(body.handoffUrl).toMatch(/#token=fcl_/);
      expect(stderr).toContain(body.handoffUrl);
      open.push(body.connectionRequestId);
    }
    const { exitCode, body } = await ask(5);
    expect([exitCode, body.code]).toEqual([1, "ACTIVE_REQUEST_LIMIT"]);
    expect(body.details.openRequestIds.sort()).toEqual(open.sort());
    await servers(["connect-cancel", "--request", open[0]!]);
    const sixth = await ask(5);
    expect(sixth.exitCode).toBe(0);
    for (const id of [...open, sixth.body.connectionRequestId])
      await servers(["connect-cancel", "--request", id]);
  });

  test("to something that is no server fails with the reason", async () => {
    const { exitCode, body } = await servers(["connect", "--url", `${cloud.service.url}/health`]);
    expect([exitCode, body.status]).toEqual([1, "failed"]);
    expect(body.error.message).toBeTruthy();
    expect((await servers(["connect-status", "--request", "scr_none"])).body.code).toBe("NOT_FOUND");
  });
});

test("server groups are frozen from names, and plugins are listed", async () => {
  const made = await cloud.cloud(["server-groups", "create", "--name", "All", "--server", "bookshop"]);
  expect(made.body).toMatchObject({ name: "All", serverNames: ["Bookshop"] });
  const groups = await cloud.cloud(["server-groups", "list"]);
  expect(groups.body.items).toEqual([made.body]);
  expect((await cloud.cloud(["server-groups", "create", "--name", "x", "--server", "none"])).exitCode).toBe(
    1,
  );
  expect((await cloud.cloud(["plugins", "list"])).body.items).toEqual([]);
  expect((await cloud.cloud(["plugins", "version", "--version-id", "plv_none"])).body.code).toBe("NOT_FOUND");
});

/** The way to the service, with one refusal on it: of the first server of that name. */
async function refusingOnce(name: string) {
  const saved: string[] = [];
  let isRefused = false;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const isSaving = request.method === "POST" && request.url?.endsWith("/servers");
    const own = isSaving ? (JSON.parse(body) as { name: string }).name : undefined;
    if (own === name && !isRefused) {
      isRefused = true;
      response.writeHead(409, { "content-type": "application/json" });
      response.end(JSON.stringify({ code: "CONFLICT", message: "Not this one." }));
      return;
    }
    if (own !== undefined) saved.push(own);
    const { method = "GET", headers } = request;
    const answer = await fetch(`${cloud.service.url}${request.url}`, {
      method,
      headers: { authorization: headers.authorization!, "content-type": "application/json" },
      ...(body && { body }),
    });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    saved,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test("a webhook is tried, and what was sent is sent again under the same id", async () => {
  const ids: unknown[] = [];
  const receiver = createServer((request, response) => {
    ids.push(request.headers["webhook-id"]);
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  const webhooks = (...argv: string[]) => cloud.cloud(["projects", "webhooks", ...argv]);
  const url = `http://127.0.0.1:${port}/hook`;
  const made = await webhooks("create", "--name", "Again", "--url", url, "--events", "eval_run.ended");
  const webhook = ["--webhook", made.body.id];
  const sent = await webhooks("test", ...webhook);
  await vi.waitFor(() => expect(ids).toHaveLength(1), 60_000);
  const again = await webhooks("redeliver", ...webhook, "--delivery", sent.body.id);
  expect([again.exitCode, again.body]).toMatchObject([0, { id: sent.body.id, eventId: sent.body.eventId }]);
  await vi.waitFor(() => expect(ids).toHaveLength(2), 60_000);
  expect(ids[1]).toBe(ids[0]);
  receiver.closeAllConnections();
  receiver.close();
});
