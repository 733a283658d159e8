/** @module The public `server-everything` as a child: over stdio by its command, over HTTP on a free port until disposed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer } from "node:net";

const entry = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");

export const everythingOverStdio = { command: process.execPath, args: [entry, "stdio"] };

export async function startPublicEverything(
  transport: "streamableHttp" | "sse",
): Promise<{ url: string } & AsyncDisposable> {
  const port = await freePort();
  const child = spawn(process.execPath, [entry, transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  await new Promise<void>((resolve, reject) => {
    const onText = (chunk: Buffer) => {
      said += chunk.toString();
      if (/listening|running on port/i.test(said)) resolve();
    };
    child.stdout.on("data", onText);
    child.stderr.on("data", onText);
    child.once("exit", () => reject(new Error(`server-everything ended: ${said}`)));
  });
  return {
    url: `http://127.0.0.1:${port}/${transport === "sse" ? "sse" : "mcp"}`,
    async [Symbol.asyncDispose]() {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
