/** @module Well-known servers from npm, by exact version, as they come and without an account; installed into a cache folder when a run wants them. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

export interface RealServer {
  package: string;
  version: string;
  args?: string[];
  /** What it wants to see before it starts; no service takes it. */
  env?: Record<string, string>;
  /** How it is told to serve Streamable HTTP at /mcp, where it can. PORT is set in any case. */
  http?: { args?: (port: number) => string[]; env?: Record<string, string>; host?: "localhost" };
}

export const realServers: Record<string, RealServer> = {
  everything: {
    package: "@modelcontextprotocol/server-everything",
    version: "2026.8.31",
    args: ["stdio"],
    http: { args: () => ["streamableHttp"] },
  },
  filesystem: { package: "@modelcontextprotocol/server-filesystem", version: "2026.8.31", args: [tmpdir()] },
  memory: { package: "@modelcontextprotocol/server-memory", version: "2026.8.31" },
  "sequential-thinking": {
    package: "@modelcontextprotocol/server-sequential-thinking",
    version: "2026.8.31",
  },
  playwright: {
    package: "@playwright/mcp",
    version: "0.0.83",
    args: ["--headless"],
    http: { args: (port) => ["--port", String(port), "--host", "localhost"], host: "localhost" },
  },
  context7: {
    package: "@upstash/context7-mcp",
    version: "4.1.1",
    http: { args: (port) => ["--transport", "http", "--port", String(port)] },
  },
  firecrawl: {
    package: "firecrawl-mcp",
    version: "3.26.0",
    env: { FIRECRAWL_API_KEY: "fc-none" },
    http: { env: { HTTP_STREAMABLE_SERVER: "true" } },
  },
  notion: {
    package: "@notionhq/notion-mcp-server",
    version: "2.5.2",
    env: { NOTION_TOKEN: "ntn_none" },
    http: { args: (port) => ["--transport", "http", "--port", String(port), "--disable-auth"] },
  },
  kubernetes: {
    package: "mcp-server-kubernetes",
    version: "4.1.7",
    http: { env: { ENABLE_UNSAFE_STREAMABLE_HTTP_TRANSPORT: "1" } },
  },
  mongodb: {
    package: "mongodb-mcp-server",
    version: "3.0.4",
    args: ["--readOnly"],
    http: { args: (port) => ["--readOnly", "--transport", "http", "--httpPort", String(port)] },
  },
  "brave-search": {
    package: "@brave/brave-search-mcp-server",
    version: "2.1.4",
    args: ["--transport", "stdio"],
    env: { BRAVE_API_KEY: "none" },
    http: { args: (port) => ["--transport", "http", "--port", String(port)] },
  },
  exa: { package: "exa-mcp-server", version: "3.4.1", env: { EXA_API_KEY: "none" } },
  tavily: { package: "tavily-mcp", version: "0.2.22", env: { TAVILY_API_KEY: "none" } },
};

const folder = process.env.FETTLE_REAL_SERVERS ?? join(tmpdir(), "fettle-real-servers");

/** Installs what is missing, running none of their scripts. The reason when the registry cannot be reached. */
export async function installRealServers(): Promise<string | undefined> {
  const wanted = Object.values(realServers);
  const held = await Promise.all(
    wanted.map(async (server) => (await manifestOf(server))?.version === server.version),
  );
  if (held.every(Boolean)) return undefined;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{"private":true}');
  const names = wanted.map((server) => `${server.package}@${server.version}`);
  try {
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    await promisify(execFile)("npm", ["install", ...flags, ...names], { cwd: folder });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function manifestOf({
  package: name,
}: RealServer): Promise<{ version: string; bin: string } | undefined> {
  const path = join(folder, "node_modules", name, "package.json");
  if (!existsSync(path)) return undefined;
  const { version, bin } = JSON.parse(await readFile(path, "utf8"));
  return { version, bin: typeof bin === "string" ? bin : String(Object.values(bin ?? {})[0]) };
}

export async function realServerCommand(server: RealServer) {
  const manifest = await manifestOf(server);
  const script = join(folder, "node_modules", server.package, manifest?.bin ?? "");
  return { command: process.execPath, args: [script, ...(server.args ?? [])], env: server.env ?? {} };
}

/** Runs one over HTTP until it is closed. */
export async function startRealServer(server: RealServer): Promise<{ url: string; close(): Promise<void> }> {
  const { args, env, host = "127.0.0.1" } = server.http ?? {};
  const port = await freePort();
  const { command, args: plain } = await realServerCommand({ ...server, args: args?.(port) ?? [] });
  const child = spawn(command, plain, {
    stdio: "ignore",
    env: { ...process.env, ...server.env, ...env, PORT: String(port) },
  });
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  // They do not say when they are ready; asking is the only way to learn it.
  while (!(await isOpen(host, port))) {
    if (child.exitCode !== null) throw new Error(`${server.package} ended with ${child.exitCode}.`);
    await delay(200);
  }
  return { url: `http://${host}:${port}/mcp`, close };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("There is no port.");
  return address.port;
}

function isOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port }, () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}
