/** @module What the commands of `xaa` take. */
import { flags } from "../../program/flag.ts";

export const xaaRunFlags = flags({
  url: { kind: "text", value: "url", required: true, help: "The MCP server" },
  "issuer-base-url": {
    kind: "text",
    value: "url",
    required: true,
    help: "Where the service that publishes your issuer is reached",
  },
  sub: { kind: "text", value: "subject", required: true, help: "The person to be, in the server's words" },
  email: { kind: "text", value: "email", help: "That person's address, put into the grant" },
  registration: {
    kind: "choice",
    choices: ["preregistered", "dcr", "cimd"],
    value: "how",
    defaultNote: "preregistered",
    help: "How the authorization server knows the client",
  },
  "client-id": { kind: "text", value: "id", help: "The client it knows (preregistered)" },
  "client-secret": { kind: "text", value: "secret", help: "Its secret, when it has one (preregistered)" },
  "token-endpoint-auth-method": {
    kind: "choice",
    choices: ["client_secret_basic", "client_secret_post", "none"],
    value: "method",
    defaultNote: "from the metadata",
    help: "How that client authenticates (preregistered)",
  },
  "client-auth": {
    kind: "choice",
    choices: ["none", "private-key-jwt"],
    value: "how",
    defaultNote: "none",
    help: "Whether the client proves itself by this machine's key (cimd)",
  },
  "client-metadata-url": { kind: "text", value: "url", help: "The client's metadata document (cimd)" },
  "cimd-metadata-origin": {
    kind: "text",
    value: "origin",
    defaultNote: "that of --issuer-base-url",
    help: "Whose reflector serves the document made from the key (cimd)",
  },
  "authz-server-issuer": { kind: "text", value: "issuer", help: "Do not ask the MCP server who guards it" },
  "token-endpoint": { kind: "text", value: "url", help: "Do not read the authorization server's metadata" },
  "assertion-format": {
    kind: "choice",
    choices: ["oidc", "saml"],
    value: "format",
    defaultNote: "oidc",
    help: "How the person signed in; saml names the subject in its way too",
  },
  scopes: { kind: "text", value: "scopes", help: "Scopes to ask for, separated by spaces" },
  "negative-probe": {
    kind: "text",
    value: "fault",
    repeats: true,
    help: "Then try a grant with this fault, or all; it should be refused",
  },
  "https-only": { kind: "boolean", help: "Refuse http and private addresses" },
});
