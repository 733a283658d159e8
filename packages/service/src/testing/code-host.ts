/** @module A code host for tests: it knows an app, lets it act for one repository, keeps the checks it is told, and signs events. */
import { createHmac, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface CodeHostStub extends AsyncDisposable {
  env: Record<string, string>;
  repo: string;
  /** By id, as they were last told. */
  checks: Map<string, Record<string, unknown> & { head_sha?: string; updates: number }>;
  /** The HTTP status of everything it is asked, while it is set. */
  refuses: number | undefined;
  /** What it would send of a pull request. */
  event(over?: { action?: string; sha?: string; repo?: string }): {
    body: string;
    headers: Record<string, string>;
  };
}

const appId = "4711";
const installation = 12;
const webhookSecret = "sign-with-this";

export async function startCodeHost(): Promise<CodeHostStub> {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const publicKey = createPublicKey(privateKey);
  const repo = "Acme/shop";

  const isApp = (bearer: string) => {
    const [head = "", payload = "", signature = ""] = bearer.split(".");
    if (!verify("sha256", Buffer.from(`${head}.${payload}`), publicKey, Buffer.from(signature, "base64url")))
      return false;
    const { iss, iat, exp } = JSON.parse(Buffer.from(payload, "base64url").toString());
    return iss === appId && exp - iat <= 600 && exp > Date.now() / 1_000;
  };

  function answer(
    method: string,
    path: string,
    bearer: string,
    body: Record<string, unknown>,
  ): [number, unknown] {
    const [, owner, name, ...rest] = /^\/repos\/([^/]+)\/([^/]+)\/?(.*)$/.exec(path) ?? [];
    const isOurs = `${owner}/${name}`.toLowerCase() === repo.toLowerCase();
    const asApp = isApp(bearer);
    if (asApp) {
      if (method === "GET" && path.startsWith("/app/installations?")) return [200, [{ id: installation }]];
      if (method === "GET" && rest[0] === "installation")
        return isOurs ? [200, { id: installation }] : [404, {}];
      if (method === "POST" && path === `/app/installations/${installation}/access_tokens`)
        return [201, { token: "ghs_token" }];
    }
    if (bearer !== "ghs_token") return [401, { message: "Bad credentials" }];
    if (path.startsWith("/installation/repositories"))
      return [200, { total_count: 1, repositories: [{ full_name: repo }] }];
    if (!isOurs) return [404, {}];
    if (method === "GET" && rest[0] === "") return [200, { full_name: repo }];
    if (method === "POST" && rest[0] === "check-runs") {
      const id = String(stub.checks.size + 1);
      stub.checks.set(id, { ...body, updates: 0 });
      return [201, { id: Number(id) }];
    }
    const known = stub.checks.get(rest[0]?.split("/")[1] ?? "");
    if (method !== "PATCH" || !known) return [404, {}];
    Object.assign(known, body, { updates: known.updates + 1 });
    return [200, {}];
  }

  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const bearer = request.headers.authorization?.replace("Bearer ", "") ?? "";
    const [status, told] = stub.refuses
      ? [stub.refuses, {}]
      : answer(request.method ?? "", request.url ?? "", bearer, text === "" ? {} : JSON.parse(text));
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(told));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stub: CodeHostStub = {
    env: {
      FETTLE_CHECKS_APP_ID: appId,
      FETTLE_CHECKS_PRIVATE_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      FETTLE_CHECKS_WEBHOOK_SECRET: webhookSecret,
      FETTLE_CHECKS_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
    repo,
    checks: new Map(),
    refuses: undefined,
    event({ action = "opened", sha = "a".repeat(40), repo: of = repo } = {}) {
      const head = { sha, ref: "feature" };
      const body = JSON.stringify({
        action,
        number: 7,
        pull_request: { head },
        repository: { full_name: of },
      });
      const signature = createHmac("sha256", webhookSecret).update(body).digest("hex");
      const headers = {
        "content-type": "application/json",
        "x-github-event": "pull_request",
        "x-hub-signature-256": `sha256=${signature}`,
      };
      return { body, headers };
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
  return stub;
}
