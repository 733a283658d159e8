/** @module A container engine that says yes to everything, for answers that only somebody with one gets. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

export async function startEngine(): Promise<{ socket: string; close(): Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), "fettle-engine-"));
  const socket = join(home, "engine.sock");
  const server = createServer((request, response) => {
    const path = request.url?.split("?")[0] ?? "";
    const answer = path.endsWith("/version")
      ? { Version: "28.0.0", Arch: "amd64" }
      : /\/(?:images|containers)\/json$/.test(path)
        ? []
        : { Id: "made", State: { Running: true, ExitCode: 0 } };
    request.resume();
    request.on("end", () => {
      const hasBody = request.method === "GET" || path.endsWith("/create");
      response.writeHead(hasBody ? 200 : 204, { "content-type": "application/json" });
      response.end(hasBody ? JSON.stringify(answer) : undefined);
    });
  }).listen(socket);
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    socket,
    close: async () => {
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
      rmSync(home, { recursive: true, force: true });
    },
  };
}
