/**
 * Servers that are wrong as web servers: other content, other status, redirects into the network, bad certificates.
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { honestMessage } from "./honest.ts";
import type { HostileServer, Misbehaviour } from "./hostile-server.ts";

const HTTP: HostileServer["transports"] = ["http"];

export const WRONG_HTTP: HostileServer[] = [
  {
    name: "html-instead-of-json",
    transports: HTTP,
    does: "Answers every request with a web page and status 200.",
    failsAt: "connect",
    conclude: "Say that this is a web page, not an MCP endpoint, and suggest to check the path.",
    behave: always(
      200,
      { "content-type": "text/html" },
      "<!doctype html><title>Welcome</title><h1>It works!</h1>",
    ),
  },
  {
    name: "wrong-content-type",
    transports: HTTP,
    does: "Answers with correct JSON-RPC, labelled text/plain.",
    failsAt: "initialize",
    conclude: "Say that the content type is neither application/json nor text/event-stream.",
    behave: () => ({
      answer: (request) => ({
        kind: "bytes",
        bytes: [JSON.stringify(honestMessage(request))],
        headers: { "content-type": "text/plain" },
      }),
    }),
  },
  {
    name: "no-content-type",
    transports: HTTP,
    does: "Answers with correct JSON-RPC and no Content-Type.",
    failsAt: "initialize",
    conclude: "Say that the content type is missing, not that nobody is there.",
    behave: () => ({
      http(_req, res, serveHonestly) {
        const writeHead = res.writeHead.bind(res) as (status: number, headers: object) => typeof res;
        const unlabelled = (status: number, { "content-type": _, ...rest }: Record<string, string> = {}) =>
          writeHead(status, rest);
        // The one form of the several that this corpus calls it in.
        res.writeHead = unlabelled as typeof res.writeHead;
        serveHonestly();
      },
    }),
  },
  {
    name: "not-found",
    transports: HTTP,
    does: "Answers 404 on every path.",
    failsAt: "connect",
    conclude: "Say that the host answers but the path is wrong.",
    behave: always(404, { "content-type": "text/plain" }, "Not found"),
  },
  {
    name: "gateway-error",
    transports: HTTP,
    does: "Answers 502 with a proxy's error page.",
    failsAt: "connect",
    conclude: "Say that a proxy answered for a server that is down; worth another try later.",
    behave: always(502, { "content-type": "text/html" }, "<html><h1>502 Bad Gateway</h1></html>"),
  },
  {
    name: "unauthorized-without-metadata",
    transports: HTTP,
    does: "Answers 401 with neither a challenge nor OAuth metadata anywhere.",
    failsAt: "connect",
    conclude: "Say that the server wants credentials but does not say how to get them.",
    behave: () => ({
      http: (req, res) => void res.writeHead(isWellKnown(req) ? 404 : 401).end(),
    }),
  },
  {
    name: "unauthorized-with-metadata",
    transports: HTTP,
    does: "Answers 401 with a challenge that leads to complete OAuth metadata.",
    failsAt: "connect",
    conclude: "Say that OAuth is required, name the authorization server, and offer to sign in.",
    behave: () => ({ http: unauthorized((origin) => `${origin}/.well-known/oauth-protected-resource/mcp`) }),
  },
  {
    name: "session-amnesia",
    transports: HTTP,
    does: "Gives out a session at initialize and answers 404 to it ever after.",
    failsAt: "list",
    conclude:
      "Initialize once more as the specification says; when that session is lost too, give up and say so.",
    behave: () => ({
      http(req, res, serveHonestly) {
        if (req.headers["mcp-session-id"]) return void res.writeHead(404).end();
        res.setHeader("mcp-session-id", "forgotten");
        serveHonestly();
      },
    }),
  },
  {
    name: "redirect-to-metadata-address",
    transports: HTTP,
    does: "Redirects to a cloud provider's metadata address.",
    failsAt: "connect",
    conclude: "Check the redirect's target before connecting, refuse it, and say why; nothing is sent there.",
    behave: redirect("http://169.254.169.254/latest/meta-data/"),
  },
  {
    name: "redirect-to-private-address",
    transports: HTTP,
    does: "Redirects to an address of a private network.",
    failsAt: "connect",
    conclude: "In hosted mode refuse the target and say why; nothing is sent there.",
    behave: redirect("http://10.0.0.1/mcp"),
  },
  {
    name: "redirect-loop",
    transports: HTTP,
    does: "Redirects to itself.",
    failsAt: "connect",
    conclude: "Stop after a few redirects and say that they go round in circles.",
    behave: redirect("/mcp"),
  },
  {
    name: "self-signed-certificate",
    transports: HTTP,
    does: "Serves HTTPS with a certificate signed by nobody but itself.",
    failsAt: "connect",
    conclude: "Refuse, and say that the certificate is self-signed.",
    behave: () => ({ certificate: "self-signed" }),
  },
  {
    name: "expired-certificate",
    transports: HTTP,
    does: "Serves HTTPS with a certificate that expired years ago.",
    failsAt: "connect",
    conclude: "Refuse, and say when the certificate expired.",
    behave: () => ({ certificate: "expired" }),
  },
];

function always(status: number, headers: Record<string, string>, body: string): () => Misbehaviour {
  return () => ({ http: (_req, res) => void res.writeHead(status, headers).end(body) });
}

function redirect(location: string): () => Misbehaviour {
  return () => ({ http: (_req, res) => void res.writeHead(307, { location }).end() });
}

function isWellKnown(req: IncomingMessage): boolean {
  return req.url?.startsWith("/.well-known/") ?? false;
}

/** Wants a token, and publishes where to get one; the challenge points where it is told to. */
export function unauthorized(pointer: (origin: string) => string) {
  return (req: IncomingMessage, res: ServerResponse): void => refuse(req, res, pointer);
}

function refuse(req: IncomingMessage, res: ServerResponse, pointer: (origin: string) => string): void {
  const origin = `http://${req.headers.host}`;
  const json = (value: unknown) =>
    res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
  if (req.url?.startsWith("/.well-known/oauth-protected-resource")) {
    json({ resource: `${origin}/mcp`, authorization_servers: [origin], scopes_supported: ["tools"] });
  } else if (isWellKnown(req)) {
    json({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
    });
  } else {
    const challenge = `Bearer resource_metadata="${pointer(origin)}", scope="tools"`;
    res.writeHead(401, { "www-authenticate": challenge }).end();
  }
}
