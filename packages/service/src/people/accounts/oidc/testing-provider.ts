/** @module A real OpenID provider for tests: `oidc-provider`, whose sign-in page asks nothing and lets in whom the test names. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

interface TestPerson {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

export interface TestProvider {
  issuer: string;
  /** Must be called once the service's address is known: a provider returns only to addresses it was told. */
  register(client: { clientId: string; clientSecret: string; redirectUri: string }): void;
  people: Map<string, TestPerson>;
  /** Answers that stand in for the provider's own, by path. */
  instead: Map<string, RequestListener>;
  /** Whoever comes next is this subject. */
  as(subject: string): void;
  /** Goes where `url` leads as this subject, and returns the address the provider sends the browser back to. */
  signIn(url: string, subject: string): Promise<URL>;
  close(): Promise<void>;
}

export async function testProvider(): Promise<TestProvider> {
  const people = new Map<string, TestPerson>();
  const instead = new Map<string, RequestListener>();
  let listener: RequestListener = (_, response) => response.writeHead(503).end();
  let subject = "";
  const server = createServer((request, response) => {
    const path = request.url?.split("?")[0] ?? "";
    return (instead.get(path) ?? listener)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    people,
    instead,
    as: (next) => {
      subject = next;
    },
    register: ({ clientId, clientSecret, redirectUri }) => {
      const provider = new Provider(issuer, {
        clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
        pkce: { required: () => true },
        claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
        features: { devInteractions: { enabled: false } },
        // Said only because the library remarks on each default.
        ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
        cookies: { keys: ["for tests only"] },
        interactions: { url: (_, { uid }) => `/interaction/${uid}` },
        findAccount: (_, accountId) => ({
          accountId,
          claims: async () => ({ sub: accountId, ...people.get(accountId) }),
        }),
      });
      const serve = provider.callback();
      listener = async (request, response) => {
        if (!request.url?.startsWith("/interaction/")) return serve(request, response);
        const grant = new provider.Grant({ accountId: subject, clientId });
        grant.addOIDCScope("openid email profile");
        const consent = { grantId: await grant.save() };
        await provider.interactionFinished(request, response, { login: { accountId: subject }, consent });
      };
    },
    signIn: async (url, as) => {
      subject = as;
      const cookies = new Map<string, string>();
      for (let at = new URL(url); ; ) {
        const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
        const response = await fetch(at, { redirect: "manual", headers: { cookie } });
        for (const line of response.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get("location");
        if (!location) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
        at = new URL(location, at);
        if (at.origin !== issuer) return at;
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
