/** @module An HTTP server in front of another that lets requests through, refuses them or keeps them waiting, as a test says. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Gate {
  url: string;
  /** What happens to the next requests. */
  mode: "pass" | "refuse" | "hold";
  /** Of those that would wait, only requests that say this. */
  holdsOnly: string;
  /** How many came. */
  count: number;
  /** Lets go on what is kept waiting, and passes from now on. */
  release(): void;
  close(): Promise<void>;
}

export async function startGate(target: string): Promise<Gate> {
  const held: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const isMeant = Buffer.concat(chunks).includes(gate.holdsOnly);
    if (isMeant) gate.count++;
    if (gate.mode === "hold" && isMeant) await new Promise<void>((resolve) => held.push(resolve));
    // Whoever asked has gone in the meantime.
    if (request.socket.destroyed) return;
    if (gate.mode === "refuse") return response.writeHead(503).end();
    const answer = await fetch(target, {
      method: request.method!,
      headers: { ...(request.headers as Record<string, string>), host: new URL(target).host },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const gate: Gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    mode: "pass",
    holdsOnly: "",
    count: 0,
    release: () => {
      gate.mode = "pass";
      gate.holdsOnly = "";
      for (const go of held.splice(0)) go();
    },
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
  return gate;
}
