// biome-ignore-all lint/suspicious/noTemplateCurlyInString: open places of a configuration look like this
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SandboxImageId } from "../../core/id.ts";
import { ProjectServerCreateRequest } from "../server.ts";
import { fillOpenPlaces, openPlacesIn } from "./open-place.ts";
import { readServerConfig, readServerDocument, savedFormOf } from "./read-config.ts";

/** A host's own way to write the same two servers. */
const dialects: Record<string, unknown> = {
  "Claude Desktop, Claude Code, Cursor": {
    mcpServers: {
      shop: { type: "http", url: "https://shop.example/mcp", headers: { "X-Key": "k" } },
      files: { command: "npx", args: ["files", "/tmp"], env: { A: "1" } },
    },
  },
  "VS Code": {
    inputs: [],
    servers: {
      shop: { type: "http", url: "https://shop.example/mcp", headers: { "X-Key": "k" } },
      files: { type: "stdio", command: "npx", args: ["files", "/tmp"], env: { A: "1" } },
    },
  },
  "VS Code settings": {
    "editor.fontSize": 12,
    mcp: {
      servers: {
        shop: { url: "https://shop.example/mcp", headers: { "X-Key": "k" } },
        files: { command: "npx", args: ["files", "/tmp"], env: { A: "1" } },
      },
    },
  },
  Windsurf: {
    mcpServers: {
      shop: { serverUrl: "https://shop.example/mcp", headers: { "X-Key": "k" } },
      files: { command: "npx", args: ["files", "/tmp"], env: { A: "1" }, disabledTools: [] },
    },
  },
  "Gemini CLI": {
    mcpServers: {
      shop: { httpUrl: "https://shop.example/mcp", headers: { "X-Key": "k" }, timeout: 5000 },
      files: { command: "npx", args: ["files", "/tmp"], env: { A: "1" }, trust: false },
    },
  },
  Zed: {
    context_servers: {
      shop: { url: "https://shop.example/mcp", headers: { "X-Key": "k" } },
      files: { source: "custom", command: { path: "npx", args: ["files", "/tmp"], env: { A: "1" } } },
    },
  },
  OpenCode: {
    mcp: {
      shop: { type: "remote", url: "https://shop.example/mcp", headers: { "X-Key": "k" }, enabled: true },
      files: { type: "local", command: ["npx", "files", "/tmp"], environment: { A: "1" } },
    },
  },
  Codex: {
    mcp_servers: {
      shop: { url: "https://shop.example/mcp", http_headers: { "X-Key": "k" } },
      files: { command: "npx", args: ["files", "/tmp"], env: { A: "1" } },
    },
  },
  Goose: {
    extensions: {
      shop: { type: "streamable_http", uri: "https://shop.example/mcp", headers: { "X-Key": "k" } },
      files: { type: "stdio", cmd: "npx", args: ["files", "/tmp"], envs: { A: "1" } },
    },
  },
  "Continue, as a list": {
    mcpServers: [
      { name: "shop", url: "https://shop.example/mcp", headers: { "X-Key": "k" } },
      { name: "files", command: "npx", args: ["files", "/tmp"], env: { A: "1" } },
    ],
  },
  Amp: {
    "amp.mcpServers": {
      shop: { url: "https://shop.example/mcp", headers: { "X-Key": "k" } },
      files: { command: "npx", args: ["files", "/tmp"], env: { A: "1" } },
    },
  },
  "servers at the top": {
    shop: { url: "https://shop.example/mcp", headers: { "X-Key": "k" } },
    files: { command: "npx", args: ["files", "/tmp"], env: { A: "1" } },
  },
};

function serversOf(config: unknown) {
  const read = readServerDocument(config);
  if (!read.ok) throw new Error(read.reason);
  return read.servers;
}

describe("a host's configuration", () => {
  it.each(Object.entries(dialects))("of %s is understood", (_host, config) => {
    const [shop, files, ...rest] = serversOf(config);
    expect(rest).toEqual([]);
    expect(shop).toMatchObject({
      kind: "http",
      name: "shop",
      url: "https://shop.example/mcp",
      headers: { "X-Key": "k" },
      enabled: true,
    });
    expect(files).toMatchObject({
      kind: "stdio",
      name: "files",
      command: "npx",
      args: ["files", "/tmp"],
      env: { A: "1" },
      tunnel: 'fettle cloud tunnel --server files -e A="$A" -- npx files /tmp',
    });
  });

  it("may hold comments, trailing commas and a byte order mark", () => {
    const read = readServerConfig(`\uFEFF{
      // the shop
      "mcpServers": { "shop": { "url": "https://shop.example/mcp?a=//b", /* kept */ }, },
    }`);
    expect(read).toMatchObject({ ok: true, servers: [{ url: "https://shop.example/mcp?a=//b" }] });
  });

  it("may keep servers by folder, which win over those of everywhere", () => {
    const config = {
      mcpServers: { a: { url: "https://a.example/" }, b: { url: "https://b.example/" } },
      projects: { "/home/me/shop": { mcpServers: { b: { url: "https://mine.example/" } } } },
    };
    const read = readServerDocument(config, { folder: "/home/me/shop" });
    expect(read.ok && read.servers.map((server) => "url" in server && server.url)).toEqual([
      "https://a.example/",
      "https://mine.example/",
    ]);
  });

  it.each([
    ["not JSON", "{", /^This is not JSON/],
    ["a list", "[]", /is an object/],
    ["a text", '"x"', /is an object/],
    ["no servers", '{"mcpServers":{}}', /No server/],
    ["something else", '{"name":"x","scripts":{"a":"b"}}', /No server/],
  ])("that is %s is refused", (_what, text, reason) => {
    expect(readServerConfig(text)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });

  it.each([
    ["no object", 5, /not an object/],
    ["nothing to reach", { args: [] }, /neither/],
    ["an address of another kind", { url: "ftp://x" }, /not an http/],
    ["an address that is no text", { url: 7 }, /not an http/],
    ["an empty command", { command: "" }, /empty/],
    ["a command of spaces", { command: " " }, /empty/],
    ["arguments that are no list", { command: "x", args: "y" }, /not a list/],
    ["an argument that is no text", { command: "x", args: [{}] }, /not a text/],
    ["headers that are a list", { url: "https://x.example", headers: [] }, /not names/],
    ["a header that is no text", { url: "https://x.example", headers: { a: {} } }, /not a text/],
    ["a WebSocket", { type: "ws", url: "ws://x" }, /WebSocket/],
  ])("with an entry that has %s says so, and keeps the others", (_what, entry, reason) => {
    const servers = serversOf({ mcpServers: { bad: entry, good: { url: "https://good.example/" } } });
    expect(servers).toMatchObject([
      { kind: "unreadable", name: "bad", reason: expect.stringMatching(reason) },
      { kind: "http", name: "good" },
    ]);
  });

  it("tells what is built into its host from what is broken", () => {
    expect(
      serversOf({ extensions: { memory: { type: "builtin" }, x: { type: "stdio", cmd: "x" } } }),
    ).toMatchObject([
      { kind: "foreign", name: "memory" },
      { kind: "stdio", name: "x" },
    ]);
  });

  it("never breaks, whatever it holds, and what it finds can be saved or says why not", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue()), (held) => {
        const read = readServerDocument({ mcpServers: held });
        for (const server of read.ok ? read.servers : []) expect(server.kind).toBeTypeOf("string");
      }),
    );
  });
});

describe("what a configuration leaves open", () => {
  it.each([
    ["${TOKEN}", [{ text: "${TOKEN}", name: "TOKEN" }]],
    ["Bearer ${env:TOKEN}!", [{ text: "${env:TOKEN}", name: "TOKEN" }]],
    ["${input:api-key}", [{ text: "${input:api-key}", name: "api-key" }]],
    ["{env:TOKEN}", [{ text: "{env:TOKEN}", name: "TOKEN" }]],
    ["${HOST:-localhost:80}", [{ text: "${HOST:-localhost:80}", name: "HOST", fallback: "localhost:80" }]],
    ["$TOKEN", [{ text: "$TOKEN", name: "TOKEN" }]],
    ["pa$WORD", []],
    ["{}", []],
  ])("is found in %s", (text, places) => {
    expect(openPlacesIn(text)).toEqual(places);
  });

  it("is filled by name, by its fallback, or stays", () => {
    const values: Record<string, string> = { A: "1", B: "$& ${A}" };
    const fill = (text: string) => fillOpenPlaces(text, (name) => values[name]);
    expect(fill("${A}-${A}-${B}")).toBe("1-1-$& ${A}");
    expect(fill("${C:-3}${D}")).toBe("3${D}");
    expect(fill("$A")).toBe("1");
  });

  it("is described by the file's inputs", () => {
    const [server] = serversOf({
      inputs: [{ id: "key", description: "Your key", password: true }],
      servers: { shop: { url: "https://shop.example", headers: { "X-Key": "${input:key}" } } },
    });
    expect(server).toMatchObject({ places: [{ name: "key", about: "Your key" }] });
  });
});

describe("what is saved", () => {
  const saved = (entry: unknown, values: Record<string, string> = {}) => {
    const [server] = serversOf({ mcpServers: { s: entry } });
    if (server?.kind !== "http" && server?.kind !== "stdio") throw new Error("not readable");
    return ProjectServerCreateRequest.parse(savedFormOf(server, (name) => values[name]));
  };

  it("fills headers and address of an HTTP server, and takes over its sign-in and switch", () => {
    const entry = {
      url: "https://${HOST}/mcp",
      headers: { Authorization: "Bearer ${TOKEN}" },
      disabled: true,
      auth: { CLIENT_ID: "me", CLIENT_SECRET: "s", scopes: ["a"] },
    };
    expect(saved(entry, { HOST: "shop.example", TOKEN: "t" })).toEqual({
      name: "s",
      enabled: false,
      transportType: "http",
      url: "https://shop.example/mcp",
      headers: { Authorization: "Bearer t" },
      useOAuth: true,
      clientId: "me",
      clientSecret: "s",
      oauthScopes: ["a"],
    });
  });

  it("takes credentials from variables where the host says so", () => {
    const entry = {
      url: "https://shop.example/mcp",
      bearer_token_env_var: "TOKEN",
      env_http_headers: { "X-Team": "TEAM" },
    };
    expect(saved(entry, { TOKEN: "t", TEAM: "red" }).headers).toEqual({
      Authorization: "Bearer t",
      "X-Team": "red",
    });
  });

  it("leaves a command as it is written, for the machine that runs it", () => {
    expect(
      saved({ command: "node", args: ["${userHome}/s.js"], env: { T: "${T}" } }, { T: "canary" }),
    ).toEqual({
      name: "s",
      enabled: true,
      transportType: "stdio",
      command: "node",
      args: ["${userHome}/s.js"],
      env: { T: "${T}" },
    });
  });

  it("fills a command that runs in an image, where nobody's variables are", () => {
    const entry = { command: "node", args: ["${ROOT:-/app}/s.js"], env: { T: "${T}" } };
    const [server] = serversOf({ mcpServers: { s: entry } });
    if (server?.kind !== "stdio") throw new Error("not a command");
    const image = "img_1" as SandboxImageId;
    expect(savedFormOf(server, (name) => (name === "T" ? "value" : undefined), image)).toEqual({
      name: "s",
      enabled: true,
      transportType: "stdio",
      command: "node",
      args: ["/app/s.js"],
      env: { T: "value" },
      sandboxImageId: image,
    });
  });

  it("names no credential in the command for the tunnel", () => {
    const [server] = serversOf({
      mcpServers: {
        "my shop": {
          command: "npx",
          args: ["remote", "--header", "Authorization: Bearer canary-token", "--api-key=canary"],
          env: { SECRET: "canary" },
          cwd: "/srv/my shop",
        },
      },
    });
    expect(server).toMatchObject({
      tunnel: expect.stringMatching(
        /^fettle cloud tunnel --server 'my shop' -e SECRET="\$SECRET" --cwd '\/srv\/my shop' -- npx remote/,
      ),
    });
    expect((server as { tunnel: string }).tunnel).not.toContain("canary");
  });
});
