/** A server's metadata says who is asked for tokens. Whom it names gets nothing that was entrusted to somebody else, or to nobody yet. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { signedInBrowser } from "../../testing/browser.ts";
import { connectingPerson } from "../../testing/connecting.ts";
import { grant, makeKey, makeMember } from "../../testing/people.ts";
import { type RepeatingServer, startRepeatingServer } from "../../testing/repeating-server.ts";
import { type TestService, testService } from "../../testing/service.ts";

let service: TestService;
let owner: Awaited<ReturnType<typeof connectingPerson>>;
let member: { key: string; browser: Awaited<ReturnType<typeof signedInBrowser>> };
/** Demands a token at every path; `/mcp` names `named`, every other path the trap. */
let home: RepeatingServer;
/** The authorization server that the secrets are for, and the one of the attacker. */
let issuer: RepeatingServer;
let trap: RepeatingServer;
let named: () => string;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "10000" } });
  stack.defer(() => service.close());
  await service.app.work();
  owner = await connectingPerson(service);
  const { db } = service.app;
  const userId = await makeMember(db, owner.organization, "member");
  await grant(db, owner.projectId, userId, "admin");
  member = {
    key: await makeKey(db, owner.organization, userId),
    browser: await signedInBrowser(service, userId),
  };
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
  issuer = await startIssuer();
  trap = await startIssuer();
  named = () => issuer.origin;
  const well = "/.well-known/oauth-protected-resource";
  home = await startRepeatingServer((request, response) => {
    const path = request.url ?? "";
    if (path.startsWith(well)) {
      const resource = path.slice(well.length);
      const servers = [resource === "/mcp" ? named() : trap.origin];
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ resource: home.origin + resource, authorization_servers: servers }));
    } else {
      const metadata = `${home.origin}${well}${path.split("?")[0]}`;
      response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${metadata}"` }).end();
    }
    return true;
  });
  return () => Promise.all([home, issuer, trap].map((server) => server.close()));
});

async function startIssuer(): Promise<RepeatingServer> {
  const server: RepeatingServer = await startRepeatingServer((request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const { origin } = server;
    const metadata = {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["client_secret_post"],
    };
    const tokens = { access_token: "fresh", token_type: "Bearer", expires_in: 3600 };
    response.end(JSON.stringify(request.url === "/token" ? tokens : metadata));
    return true;
  });
  return server;
}

const clientSecret = "canary-client-secret-1";
const refreshToken = "canary-refresh-token-2";
const project = (rest = "") => `/api/v1/projects/${owner.projectId}${rest}`;
const call = (key: string, method: string, path: string, body?: object) =>
  service.call(path, { method, key, ...(body && { body }) });

let count = 0;
async function save(more: object = {}) {
  const body = {
    name: `guarded ${++count}`,
    transportType: "http",
    url: `${home.origin}/mcp`,
    clientId: "known",
    clientSecret,
    useOAuth: true,
    ...more,
  };
  const made = await call(owner.key, "POST", project("/servers"), body);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { id: made.body.id as string, path: project(`/servers/${made.body.id}`) };
}

/** As the consent page does: the request comes to the point where the browser would leave, and says what is answered there. */
async function connectAs(who: { key: string; browser: typeof member.browser }, serverId: string) {
  const { url } = (await call(who.key, "GET", project(`/servers/${serverId}`))).body;
  const body = { url, projectId: owner.projectId, serverId, reauthorize: true };
  const asked = await call(who.key, "POST", "/api/v1/server-connections", body);
  expect(asked.status, JSON.stringify(asked.body)).toBe(201);
  const page = `/app/server-connections/${asked.body.connectionRequestId}`;
  const shown = () => who.browser.call(page);
  await expect.poll(async () => (await shown()).body.status, { timeout: 60_000 }).toMatch(/^awaiting/);
  const { authorization } = (await shown()).body;
  const answer = await who.browser.call(`${page}/authorize`, { method: "POST" });
  if (answer.status === 200) {
    // The authorization server sends the browser back with a code, which is traded with the secret.
    const state = new URL(answer.body.url).searchParams.get("state");
    const code = { method: "POST", body: { state, code: "code" } };
    await who.browser.call("/app/server-connections/authorized", code);
  }
  await call(who.key, "POST", `/api/v1/server-connections/${asked.body.connectionRequestId}/cancel`);
  return { answer, authorization };
}

const importTokens = (path: string, more: object = { authorizationServerUrl: issuer.origin }) =>
  call(owner.key, "POST", `${path}/oauth/import-tokens`, {
    serverUrl: `${home.origin}/mcp`,
    clientInformation: { clientId: "known", clientSecret },
    tokens: { access_token: "spent", refresh_token: refreshToken },
    ...more,
  });

/** Each: how the attacker comes to be named, and by whom the secrets are then used. */
const namings: Record<string, () => Promise<void>> = {
  "a refresh token, when the metadata changes": async () => {
    const { path } = await save();
    expect((await importTokens(path)).status).toBe(200);
    named = () => trap.origin;
    expect((await call(owner.key, "POST", `${path}/tools`, {})).status).toBeGreaterThanOrEqual(400);
  },
  "a refresh token, when a member moves the server to another path": async () => {
    const { path } = await save();
    await importTokens(path);
    await call(member.key, "PATCH", path, { url: `${home.origin}/theirs` });
    await call(owner.key, "POST", `${path}/tools`, {});
  },
  "a refresh token whose issuer nobody said": async () => {
    const { path } = await save();
    const refused = await importTokens(path, {});
    expect([refused.status, refused.body.details]).toMatchObject([
      400,
      { path: "body.authorizationServerUrl", code: "ISSUER_REQUIRED" },
    ]);
    named = () => trap.origin;
    await call(owner.key, "POST", `${path}/tools`, {});
  },
  "a client secret that was used, when the metadata changes": async () => {
    const { id } = await save();
    await connectAs(owner, id);
    expect(issuer.heard()).toContain(clientSecret);
    named = () => trap.origin;
    for (const who of [owner, member]) {
      const { answer, authorization } = await connectAs(who, id);
      expect([answer.status, answer.body.details.code]).toEqual([409, "ISSUER_CHANGED"]);
      expect(answer.body.details).toMatchObject({ pinned: issuer.origin, now: trap.origin });
      expect(authorization.claimsClientSecret).toBe(false);
    }
  },
  "a client secret never used, by a member": async () => {
    const { id } = await save();
    named = () => trap.origin;
    const { answer } = await connectAs(member, id);
    expect([answer.status, answer.body.details.code]).toEqual([409, "ISSUER_UNCONFIRMED"]);
    expect(answer.body.details.hint).toMatch(/who entered it/);
  },
  "a client secret never used, by its owner, after a member moved the server to another path": async () => {
    const { id, path } = await save();
    const moved = await call(member.key, "PATCH", path, { url: `${home.origin}/theirs` });
    expect(moved.body.credentialsDropped).toEqual(["clientSecret"]);
    await connectAs(owner, id);
  },
  "a client secret saved together with its issuer": async () => {
    const { id } = await save({ useXaa: true, xaaAuthzIssuer: issuer.origin });
    named = () => trap.origin;
    const { answer } = await connectAs(owner, id);
    expect([answer.status, answer.body.details.code]).toEqual([409, "ISSUER_CHANGED"]);
  },
};

test.each(Object.keys(namings))("an attacker's authorization server is not sent %s", async (what) => {
  await namings[what]!();
  expect(trap.heard()).not.toContain("canary");
});

test("a client secret goes where the person who entered it said, and to others there as well", async () => {
  const { id } = await save();
  const first = await connectAs(owner, id);
  expect([first.answer.status, first.authorization]).toMatchObject([
    200,
    { issuer: issuer.origin, claimsClientSecret: true },
  ]);
  expect(issuer.heard()).toContain(clientSecret);
  const next = await connectAs(member, id);
  expect([next.answer.status, next.authorization.claimsClientSecret]).toEqual([200, false]);
});

test("a client secret entered anew is meant for whom the next one says that entered it", async () => {
  const { id, path } = await save();
  await connectAs(owner, id);
  named = () => trap.origin;
  await call(member.key, "PATCH", path, { enabled: true });
  expect((await connectAs(owner, id)).answer.body.details.code).toBe("ISSUER_CHANGED");
  await call(member.key, "PATCH", path, { clientSecret: "their-own" });
  expect((await connectAs(owner, id)).answer.body.details.code).toBe("ISSUER_UNCONFIRMED");
  expect((await connectAs(member, id)).answer.status).toBe(200);
  expect(trap.heard()).toContain("their-own");
});

test("tokens sent with a masked address are told so", async () => {
  const { path } = await save({ url: `${home.origin}/mcp?token=abc&sig=def` });
  for (const [serverUrl, answer] of [
    [`${home.origin}/mcp?token=***&sig=new`, [400, "MASKED_ADDRESS"]],
    [`${trap.origin}/mcp?token=***&sig=***`, [400, "MASKED_ADDRESS"]],
    [`${home.origin}/other?token=abc&sig=def`, [400, "SERVER_URL_MISMATCH"]],
    [`${home.origin}/mcp?token=***&sig=***`, [200, undefined]],
  ] as const) {
    const { status, body } = await importTokens(path, { serverUrl, authorizationServerUrl: issuer.origin });
    expect([status, body.details?.code], serverUrl).toEqual(answer);
    if (status !== 200) expect(body.details.path).toBe("body.serverUrl");
  }
});
