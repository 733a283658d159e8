/**
 * @module Where the authorization server sends the browser: one static page whose script, allowed by its hash, hands the answer to
 * the service. The parameters are never part of the page, and nothing happens without the session of whoever set out.
 */
import { createHash } from "node:crypto";
import type { RawRoute } from "../http/raw-route.ts";
import { callbackPath } from "./oauth-client.ts";

const script = `
const given = new URLSearchParams(location.search);
history.replaceState(null, "", location.pathname);
const say = (words) => { document.getElementById("said").textContent = words; };
const body = {};
for (const name of ["state", "code", "iss", "error", "error_description"])
  if (given.has(name)) body[name] = given.get(name);
fetch("/app/server-connections/authorized", {
  method: "POST",
  headers: { "content-type": "application/json", "x-fettle-app": "1" },
  body: JSON.stringify(body),
}).then((response) => response.json()).then((answer) => {
  const id = answer.connectionRequestId || (answer.details && answer.details.connectionRequestId);
  if (id) location.replace("/connect/request/" + encodeURIComponent(id));
  else say(String(answer.message));
}).catch(() => say("The service did not answer. Open the private link again."));
`;

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Fettle</title></head>
<body><p id="said" role="status">Finishing the connection …</p><script>${script}</script></body>
</html>
`;

const policy = [
  "default-src 'none'",
  `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const callbackRoute: RawRoute = {
  id: "oauthCallback",
  methods: ["GET"],
  path: callbackPath,
  policy: "public",
  why: "The browser comes back from an authorization server. The page is the same for everyone; its script calls an operation that needs the session.",
  handle: ({ reply }) =>
    reply
      .header("content-security-policy", policy)
      .header("cache-control", "no-store")
      .type("text/html; charset=utf-8")
      .send(page),
};
