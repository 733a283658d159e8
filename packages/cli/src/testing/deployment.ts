/** @module A deployment for tests, on a real port: the login (RFC 6749, 7636, 7009, 9207) and the few reads the commands make. */
import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

const account = { id: "user_1", email: "ada@example.com", name: "Ada", plan: "team" };
export const organization = {
  id: "org_1",
  name: "Analytical Engines",
  plan: "team",
  myRole: "owner",
  isCreator: true,
  logoUrl: null,
  createdAt: 1_700_000_000_000,
};
const project = (id: string, name: string, updatedAt: number) => ({
  id,
  name,
  description: null,
  icon: null,
  organizationId: "org_1",
  visibility: "public",
  role: "admin",
  createdAt: 1_700_000_000_000,
  updatedAt,
});
export const projects = [
  project("proj_1", "Alpha", 1_700_000_000_000),
  project("proj_2", "Beta", 1_700_000_600_000),
];

export const apiKey = "sk_test_abcdefghijklmnop";

interface Seen {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  form: Record<string, string>;
}

export interface TestDeployment {
  origin: string;
  apiUrl: string;
  /** Every request, in order. */
  seen: Seen[];
  /** Seconds an access token lives; changed between requests by a test that needs an old one. */
  lifetime: number;
  /** Overrides of the login settings. */
  config: Record<string, unknown>;
  /** Answers instead of the usual ones, by "METHOD /path". */
  answers: Map<string, (response: ServerResponse) => void>;
  /** What the person at the approval page does. */
  person: "approves" | "declines";
}

export async function testDeployment(): Promise<TestDeployment> {
  const codes = new Map<string, { challenge: string; redirectUri: string }>();
  const accessTokens = new Set<string>();
  const refreshTokens = new Set<string>();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", origin);
    const form = Object.fromEntries(new URLSearchParams(await textOf(request)));
    const { method = "GET", headers } = request;
    deployment.seen.push({ method, path: url.pathname + url.search, headers, form });
    const route = `${method} ${url.pathname}`;
    const special = deployment.answers.get(route);
    if (special) return special(response);
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    switch (route) {
      case "GET /api/cli/auth/config":
        return json(200, deployment.config);
      case "GET /cli/authorize": {
        const place = new URL(url.searchParams.get("redirect_uri")!);
        const code = randomBytes(8).toString("hex");
        codes.set(code, { challenge: url.searchParams.get("code_challenge")!, redirectUri: place.href });
        const answer = deployment.person === "approves" ? { code } : { error: "access_denied" };
        const query = { ...answer, state: url.searchParams.get("state")!, iss: origin };
        for (const [name, value] of Object.entries(query)) place.searchParams.set(name, value);
        return response.writeHead(302, { location: place.href }).end();
      }
      case "GET /cli/done":
        return response.writeHead(200).end(`Done ${url.searchParams.get("answer") ?? "approved"}`);
      case "POST /oauth/token":
        return json(...grant(form));
      case "POST /oauth/revoke":
        refreshTokens.delete(form.token!);
        return json(200, {});
    }
    const bearer = headers.authorization?.replace(/^Bearer /, "") ?? "";
    if (bearer !== apiKey && !accessTokens.has(bearer)) {
      return json(401, { code: "UNAUTHORIZED", message: "The credential is unknown." });
    }
    switch (route) {
      case "GET /api/v1/me":
        return json(200, account);
      case "GET /api/v1/organizations":
        return json(200, { items: [organization] });
      case "GET /api/v1/projects": {
        const wanted = url.searchParams.get("organizationId");
        return json(200, { items: wanted === null || wanted === "org_1" ? projects : [] });
      }
    }
    json(404, { code: "NOT_FOUND", message: "There is nothing here." });
  });
  const grant = (form: Record<string, string>): [number, unknown] => {
    const refused: [number, unknown] = [
      400,
      { error: "invalid_grant", error_description: "It was used already." },
    ];
    if (form.grant_type === "authorization_code") {
      const asked = codes.get(form.code!);
      codes.delete(form.code!);
      const challenge = createHash("sha256")
        .update(form.code_verifier ?? "")
        .digest("base64url");
      if (asked?.challenge !== challenge || asked.redirectUri !== form.redirect_uri) return refused;
    } else if (!refreshTokens.delete(form.refresh_token!)) return refused;
    const accessToken = `at_${randomBytes(8).toString("hex")}`;
    const refreshToken = `rt_${randomBytes(8).toString("hex")}`;
    accessTokens.add(accessToken);
    refreshTokens.add(refreshToken);
    const tokens = { access_token: accessToken, refresh_token: refreshToken, token_type: "Bearer" };
    return [200, { ...tokens, expires_in: deployment.lifetime }];
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const deployment: TestDeployment = {
    origin,
    apiUrl: `${origin}/api/v1`,
    seen: [],
    lifetime: 3600,
    config: {
      issuer: origin,
      clientId: "fettle-cli",
      authStartUrl: `${origin}/cli/authorize`,
      tokenEndpoint: `${origin}/oauth/token`,
      revocationEndpoint: `${origin}/oauth/revoke`,
      redirectUri: "http://127.0.0.1/callback",
    },
    answers: new Map(),
    person: "approves",
  };
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return deployment;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}
