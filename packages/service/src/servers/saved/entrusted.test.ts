/** A second member of the project writes whatever they may write; none of it brings them what the first one entrusted to a server. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { signedInBrowser } from "../../testing/browser.ts";
import { bundle } from "../../testing/bundles.ts";
import { connectingPerson } from "../../testing/connecting.ts";
import { grant, makeKey, makeMember } from "../../testing/people.ts";
import { type RepeatingServer, startRepeatingServer } from "../../testing/repeating-server.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { connectHost, type TestHost } from "../../testing/tunnel-host.ts";

let service: TestService;
let owner: Awaited<ReturnType<typeof connectingPerson>>;
let memberKey: string;
let memberBrowser: Awaited<ReturnType<typeof signedInBrowser>>;
/** Where the secrets belong; its paths below `/away` redirect to the trap. */
let home: RepeatingServer;
/** A place the member controls. */
let trap: RepeatingServer;
const stack = new AsyncDisposableStack();
const hosts: TestHost[] = [];
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "10000" } });
  stack.defer(() => service.close());
  await service.app.work();
  owner = await connectingPerson(service);
  const { db } = service.app;
  const member = await makeMember(db, owner.organization, "member");
  // As much as one may be in a project without owning it.
  await grant(db, owner.projectId, member, "admin");
  memberKey = await makeKey(db, owner.organization, member);
  memberBrowser = await signedInBrowser(service, member);
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
  trap = await startRepeatingServer();
  home = await startRepeatingServer((request, response) => {
    const [, status, next] = /^\/away\/(\d+)\/(\w+)/.exec(request.url ?? "") ?? [];
    if (status === undefined) return false;
    const location = next === "trap" ? `${trap.origin}/mcp` : "/away/307/trap";
    response.writeHead(Number(status), { location }).end();
    return true;
  });
  return async () => {
    for (const host of hosts.splice(0)) host.close();
    await home.close();
    await trap.close();
  };
});

const secrets = {
  authorization: "Bearer canary-authorization-1",
  apiKey: "canary-api-key-2",
  cookie: "session=canary-cookie-3",
  query: "canary-query-4",
  clientSecret: "canary-client-secret-5",
  accessToken: "canary-access-token-6",
  env: "canary-env-7",
};
const project = (rest = "") => `/api/v1/projects/${owner.projectId}${rest}`;
const as = (key: () => string) => (method: string, path: string, body?: object) =>
  service.call(path, { method, key: key(), ...(body && { body }) });
const byOwner = as(() => owner.key);
const byMember = as(() => memberKey);

let count = 0;
/** The owner's server with every kind of secret: headers or a token, since one of them is the authorization. */
async function entrust(more: { withTokens?: boolean } = {}) {
  const name = `entrusted ${++count}`;
  const url = `${home.origin}/mcp?token=${secrets.query}`;
  const made = await byOwner("POST", project("/servers"), {
    name,
    transportType: "http",
    url,
    headers: {
      ...(!more.withTokens && { Authorization: secrets.authorization }),
      "X-Api-Key": secrets.apiKey,
      Cookie: secrets.cookie,
    },
    clientSecret: secrets.clientSecret,
    clientId: "known",
    useOAuth: true,
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const path = project(`/servers/${made.body.id}`);
  if (more.withTokens) {
    const tokens = { serverUrl: url, tokens: { access_token: secrets.accessToken } };
    expect((await byOwner("POST", `${path}/oauth/import-tokens`, tokens)).status).toBe(200);
  }
  return { name, path, id: made.body.id as string };
}
type Entrusted = Awaited<ReturnType<typeof entrust>>;

/** Whatever sends the server's credentials, asked for by both: the member with their own account, the owner unaware. */
async function everyoneCalls(path: string): Promise<string> {
  const told: unknown[] = [];
  for (const call of [byMember, byOwner]) {
    for (const [rest, body] of [
      ["/validate", {}],
      ["/tools", {}],
      ["/doctor?rpc=true", {}],
      ["/export", {}],
      ["/resources/read", { uri: "said://it" }],
      ["/tools/call?rpc=true", { toolName: "no_such_tool", parameters: {} }],
    ] as const) {
      told.push((await call("POST", path + rest, body)).body);
    }
    told.push((await call("GET", path)).body, (await call("GET", project("/servers"))).body);
  }
  return JSON.stringify(told);
}

const openTunnel = async (name: string, key = memberKey) => {
  const made = await service.call(project("/tunnels"), { method: "POST", key, body: { name } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const heard: string[] = [];
  const host = await connectHost(made.body, (request, self) => {
    heard.push(JSON.stringify(request));
    self.send({ t: "res", id: request.id, status: 404, headers: [] });
    self.send({ t: "res_end", id: request.id });
  });
  hosts.push(host);
  return { grant: made.body, heard: () => heard.join("\n") };
};

/** A path of the secrets' own origin, so all but the client's secret go there, and the server sends them on. */
const redirecting =
  (away: string) =>
  async ({ path }: Entrusted) => {
    const answer = await byMember("PATCH", path, { url: home.origin + away });
    // It was used nowhere yet, and another path may name another authorization server.
    expect([answer.status, answer.body.credentialsDropped]).toEqual([200, ["clientSecret"]]);
    return { moved: false };
  };

/** Each: what the member writes, and what of it reaches them besides the trap. `dropped`: what the answer must own up to. */
const writes: Record<
  string,
  (server: Entrusted) => Promise<{ heard?: () => string; dropped?: string[]; moved?: boolean } | undefined>
> = {
  "another address": async ({ path }) => {
    const answer = await byMember("PATCH", path, { url: `${trap.origin}/mcp` });
    return { dropped: answer.body.credentialsDropped };
  },
  "another address, then a header name of their own": async ({ path }) => {
    const answer = await byMember("PATCH", path, { url: `${trap.origin}/mcp` });
    await byMember("PATCH", path, { headers: { "X-Mine": "1" } });
    return { dropped: answer.body.credentialsDropped };
  },
  "another address together with headers of their own": async ({ path }) => {
    await byMember("PATCH", path, { url: `${trap.origin}/mcp`, headers: { "X-Mine": "1" } });
    return undefined;
  },
  "another address with the masked query": async ({ path }) => {
    const answer = await byMember("PATCH", path, { url: `${trap.origin}/mcp?token=***` });
    expect([answer.status, answer.body.details.code]).toEqual([400, "MASKED_ADDRESS"]);
    return undefined;
  },
  "another address by way of a command": async ({ path }) => {
    const answer = await byMember("PATCH", path, { transportType: "stdio", command: "node" });
    await byMember("PATCH", path, { transportType: "http", url: `${trap.origin}/mcp` });
    return { dropped: answer.body.credentialsDropped };
  },
  "the same name behind a tunnel of their own": async ({ name }) => {
    const { grant: made, heard } = await openTunnel(name);
    return { heard, dropped: made.credentialsDropped };
  },
  "a path that redirects (307)": redirecting("/away/307/trap"),
  "a path that redirects (308)": redirecting("/away/308/trap"),
  "a path that redirects (302)": redirecting("/away/302/trap"),
  "a path that redirects by way of its own origin": redirecting("/away/307/near"),
  "a host header": async ({ path }) => {
    const answer = await byMember("PATCH", path, { headers: { Host: new URL(trap.origin).host } });
    expect(answer.status).toBe(400);
    return { moved: false };
  },
  "another issuer and resource": async ({ path }) => {
    const answer = await byMember("PATCH", path, {
      xaaAuthzIssuer: trap.origin,
      oauthResourceUrl: `${trap.origin}/mcp`,
      useXaa: true,
    });
    expect(answer.body.credentialsDropped).toEqual(["clientSecret"]);
    return { moved: false };
  },
  "a connection request for the server's name at their address": async ({ id }) => {
    const body = { url: `${trap.origin}/mcp`, projectId: owner.projectId, serverId: id };
    const answer = await byMember("POST", "/api/v1/server-connections", body);
    expect([answer.status, answer.body.details.code]).toEqual([400, "SERVER_URL_MISMATCH"]);
    return { moved: false };
  },
  "a connection request with the masked address": async ({ id }) => {
    const body = { url: `${trap.origin}/mcp?token=***`, projectId: owner.projectId, serverId: id };
    const answer = await byMember("POST", "/api/v1/server-connections", body);
    expect([answer.status, answer.body.details.code]).toEqual([400, "MASKED_ADDRESS"]);
    return { moved: false };
  },
  "a group, a client and an environment that name the server": async ({ id, name }) => {
    const group = { name: `group of ${name}`, serverIds: [id] };
    expect((await byMember("POST", project("/server-groups"), group)).status).toBe(201);
    const config = {
      modelId: "fettle/rules-1",
      serverIds: [id],
      connectionDefaults: { headers: { "X-Mine": "1" } },
      serverConnectionOverrides: { [id]: { url: `${trap.origin}/mcp`, headersOverride: { "X-Mine": "1" } } },
    };
    const client = await byMember("POST", project("/clients"), { name: `client of ${name}`, config });
    expect(client.status, JSON.stringify(client.body)).toBe(201);
    const environment = { name: `environment of ${name}`, hostId: client.body.id };
    const made = await byMember("POST", project("/environments"), environment);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await byMember("GET", project(`/environments/${made.body.id}/resolve`));
    return { moved: false };
  },
  "a server of the same name and address, imported beside it": async ({ name }) => {
    const body = { name: `${name} again`, transportType: "http", url: `${home.origin}/mcp?token=***` };
    expect((await byMember("POST", project("/servers"), body)).status).toBe(400);
    const plain = { ...body, url: `${trap.origin}/mcp` };
    expect((await byMember("POST", project("/servers"), plain)).status).toBe(201);
    return { moved: false };
  },
  "a plugin that brings a server of the same name, and its next version": async ({ name }) => {
    const upload = (version: string, url: string) =>
      memberBrowser.call(`/app/projects/${owner.projectId}/plugins`, {
        method: "POST",
        body: {
          files: bundle({
            "plugin.json": JSON.stringify({ name: `plugin-${count}`, version }),
            ".mcp.json": JSON.stringify({ mcpServers: { [name]: { url } } }),
          }),
        },
      });
    expect((await upload("0.9.0", `${trap.origin}/mcp?token=***`)).status).toBe(400);
    const first = await upload("1.0.0", `${home.origin}/mcp`);
    expect([first.status, first.body.status], JSON.stringify(first.body)).toEqual([201, "ready"]);
    const own = project(`/servers/${first.body.servers[0].materializedServerId}`);
    const moved = await byMember("PATCH", own, { url: `${trap.origin}/mcp` });
    expect([moved.status, moved.body.details.code]).toEqual([409, "PLUGIN_MANAGED"]);
    const next = await upload("2.0.0", `${trap.origin}/mcp`);
    const active = await memberBrowser.call(
      `/app/projects/${owner.projectId}/plugins/${next.body.pluginId}/active-version`,
      { method: "PUT", body: { pluginVersionId: next.body.id } },
    );
    expect(active.status, JSON.stringify(active.body)).toBe(200);
    await everyoneCalls(project(`/servers/${next.body.servers[0].materializedServerId}`));
    expect(trap.heard()).toContain("initialize");
    return { moved: false };
  },
};

test.each(Object.keys(writes).flatMap((what) => [[what, "headers"] as const, [what, "tokens"] as const]))(
  "%s brings a member none of the %s",
  async (what, kind) => {
    const server = await entrust({ withTokens: kind === "tokens" });
    const { heard = () => "", dropped, moved } = (await writes[what]!(server)) ?? {};
    const told = await everyoneCalls(server.path);
    const reached = trap.heard() + heard() + told;
    for (const [name, secret] of Object.entries(secrets)) {
      expect(reached.includes(secret), `${name} after ${what}`).toBe(false);
    }
    if (dropped) {
      expect(dropped.toSorted()).toEqual(
        kind === "tokens" ? ["clientSecret", "headers", "tokens"] : ["clientSecret", "headers"],
      );
    }
    const shown = (await byOwner("GET", server.path)).body;
    if (moved === false) expect(shown.headerNames).toContain("X-Api-Key");
    else if (dropped) expect(shown).toMatchObject({ hasClientSecret: false });
  },
);

test("whoever holds a tunnel keeps what was entrusted to it; the next one who opens it gets nothing", async () => {
  const name = `tunnelled ${++count}`;
  const mine = await openTunnel(name, owner.key);
  const path = project(`/servers/${mine.grant.serverId}`);
  await byOwner("PATCH", path, { headers: { "X-Api-Key": secrets.apiKey } });
  const again = await openTunnel(name, owner.key);
  expect(again.grant.credentialsDropped).toBeUndefined();
  await byOwner("POST", `${path}/validate`, {});
  expect(again.heard()).toContain(secrets.apiKey);
  const theirs = await openTunnel(name);
  expect(theirs.grant.credentialsDropped).toEqual(["headers"]);
  await byOwner("POST", `${path}/validate`, {});
  expect(theirs.heard()).toContain("initialize");
  expect(theirs.heard()).not.toContain(secrets.apiKey);
});

test("the address of another tunnel is another place, though the origin is the same", async () => {
  const mine = await openTunnel(`near ${++count}`, owner.key);
  const theirs = await openTunnel(`near ${++count}`);
  const path = project(`/servers/${mine.grant.serverId}`);
  await byOwner("PATCH", path, { headers: { "X-Api-Key": secrets.apiKey } });
  const answer = await byMember("PATCH", path, { url: theirs.grant.url });
  expect(answer.body.credentialsDropped).toEqual(["headers"]);
});

test("a request under way for an address does not take along what its server is given at another one", async () => {
  // The trap is down at first, so that the request waits, with tries to come.
  let isDown = true;
  await using slow = await startRepeatingServer((_request, response) => {
    if (!isDown) return false;
    response.writeHead(503).end();
    return true;
  });
  const name = `moved ${++count}`;
  const made = await byMember("POST", project("/servers"), {
    name,
    transportType: "http",
    url: `${slow.origin}/mcp`,
  });
  const path = project(`/servers/${made.body.id}`);
  const asked = await byMember("POST", "/api/v1/server-connections", {
    url: `${slow.origin}/mcp`,
    projectId: owner.projectId,
    serverId: made.body.id,
  });
  expect(asked.status, JSON.stringify(asked.body)).toBe(201);
  await byMember("PATCH", path, { url: `${home.origin}/mcp` });
  await byOwner("PATCH", path, {
    headers: { "X-Api-Key": secrets.apiKey },
    clientSecret: secrets.clientSecret,
  });
  isDown = false;
  const id = asked.body.connectionRequestId;
  await expect
    .poll(async () => (await byMember("GET", `/api/v1/server-connections/${id}`)).body.status, {
      timeout: 60_000,
    })
    .toMatch(/ready|failed/);
  expect(slow.heard()).toContain("initialize");
  expect(slow.heard()).not.toContain("canary");
});

test("a command's environment stays with the command and its arguments", async () => {
  const name = `command ${++count}`;
  const stdio = {
    name,
    transportType: "stdio",
    command: "node",
    args: ["server.js"],
    env: { KEY: secrets.env },
  };
  const { body: made } = await byOwner("POST", project("/servers"), stdio);
  const path = project(`/servers/${made.id}`);
  expect((await byMember("PATCH", path, { name: `${name} too` })).body.credentialsDropped).toEqual([]);
  for (const [change, dropped] of [
    [{ args: ["-e", "send(process.env)"] }, ["env"]],
    [{ env: { KEY: secrets.env } }, []],
    [{ command: "curl" }, ["env"]],
    [{ command: "node", args: [], env: { KEY: secrets.env } }, []],
    [{ transportType: "http", url: `${trap.origin}/mcp` }, ["env"]],
  ] as const) {
    const answer = await byMember("PATCH", path, change);
    expect(answer.body.credentialsDropped, JSON.stringify(change)).toEqual(dropped);
  }
});

test.each([
  ["the same address", (url: URL) => url],
  ["another path", (url: URL) => new URL("/v2/mcp?token=new", url)],
  ["the default port written out", (url: URL) => new URL(url.href)],
])("%s at the same origin keeps everything", async (_what, change) => {
  const server = await entrust({ withTokens: true });
  const url = change(new URL(`${home.origin}/mcp?token=${secrets.query}`)).href;
  const answer = await byOwner("PATCH", server.path, { url });
  expect(answer.body).toMatchObject({
    credentialsDropped: [],
    headerNames: ["X-Api-Key", "Cookie"],
    hasClientSecret: true,
  });
});

test.each([
  ["port", (url: string) => url.replace(/:\d+/, ":1")],
  ["host", (url: string) => url.replace("127.0.0.1", "localhost")],
  ["scheme", (url: string) => url.replace("http:", "https:")],
])("another %s is another origin", async (_what, change) => {
  const server = await entrust();
  const answer = await byOwner("PATCH", server.path, { url: change(`${home.origin}/mcp`) });
  expect(answer.body.credentialsDropped).toEqual(["headers", "clientSecret"]);
});

test("what is read may be written back: the address keeps its values", async () => {
  const server = await entrust();
  const { body: shown } = await byOwner("GET", server.path);
  expect(shown.url).toBe(`${home.origin}/mcp?token=***`);
  const answer = await byOwner("PATCH", server.path, { url: shown.url, enabled: true });
  expect(answer.body).toMatchObject({ url: shown.url, credentialsDropped: [] });
  await byOwner("POST", `${server.path}/validate`, {});
  expect(home.heard()).toContain(`token=${secrets.query}`);
  for (const url of [`${home.origin}/mcp?token=***&sig=new`, `${home.origin}/mcp?token=abc***`]) {
    const refused = await byOwner("PATCH", server.path, { url });
    expect([refused.status, refused.body.details.code], url).toEqual([400, "MASKED_ADDRESS"]);
    expect(refused.body.details.hint).toMatch(/as it was shown/);
  }
});
