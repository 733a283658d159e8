/**
 * @module Where the authorization server sends the browser: one static page whose script, allowed by its hash, hands the answer to
 * the service. The parameters are never part of the page, and nothing happens without the session of whoever set out.
 */
import { createHash } from "node:crypto";
import type { RawRoute } from "../../core/routing/raw-route.ts";

export const callbackPath = "/oauth/callback";
/** As authorization servers show us to people, before and after. */
export const clientName = "Fettle";

const script = `
const given = new URLSearchParams(location.search);
history.replaceState(null, "", location.pathname);
const say = (words) => {
  document.getElementById("said").textContent = words;
  document.getElementById("begun").hidden = false;
  let id;
  try { id = JSON.parse(sessionStorage.getItem("fettle:1:connecting")); } catch {}
  if (typeof id === "string") document.getElementById("back").href = "/connect/request/" + encodeURIComponent(id);
};
const body = {};
for (const name of ["state", "code", "iss", "error", "error_description"])
  if (given.has(name)) body[name] = given.get(name);
fetch("/app/server-connections/authorized", {
  method: "POST",
  headers: { "content-type": "application/json", "x-fettle-app": "1" },
  body: JSON.stringify(body),
}).then((response) => response.json()).then((answer) => {
  const { server } = answer;
  if (server) return location.replace("/p/" + encodeURIComponent(server.projectId) + "/servers/" + encodeURIComponent(server.serverId) + "/auth");
  const id = answer.connectionRequestId || (answer.details && answer.details.connectionRequestId);
  if (id) location.replace("/connect/request/" + encodeURIComponent(id));
  else if (answer.code === "UNAUTHORIZED") say("You are not signed in to Fettle any more. Sign in, then go once more.");
  else say(String(answer.message));
}).catch(() => say("The service did not answer. Go back, and try once more."));
`;

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100dvh; display: grid; place-content: center; padding: 1rem; background: light-dark(#f7f7f8, #131417); color: light-dark(#1d1e22, #e9eaee); }
main { max-width: 26rem; }
h1 { font-size: 1.2rem; margin: 0 0 .25rem; }
p { margin: 0 0 1rem; }
a { color: inherit; }
`;

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${clientName}</title><style>${style}</style></head>
<body><main><h1>${clientName}</h1><p id="said" role="status">Finishing the connection …</p>
<p id="begun" hidden><a id="back" href="/">Back to Fettle</a></p></main><script>${script}</script></body>
</html>
`;

const policy = [
  "default-src 'none'",
  `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
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
