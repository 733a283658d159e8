/** @module A local inspector in a home of its own, and a client that may forge what a browser would not. */
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspectorHeader } from "@fettle/contract/inspector";
import { type RunningInspector, startInspector } from "../../inspector/inspector.ts";

export interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** By Node's own client, because `fetch` forges no `Host`. */
export function sendTo(address: string | URL, { method = "GET", headers = {}, body }: Sent = {}) {
  const { port, pathname, search } = new URL(address);
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const path = `${pathname}${search}`;
      const asked = request({ host: "127.0.0.1", port, path, method, headers }, (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      });
      asked.on("error", reject);
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    },
  );
}

export const json = { "content-type": "application/json" };

export async function localInspector() {
  const home = mkdtempSync(join(tmpdir(), "fettle-inspector-"));
  let running: RunningInspector = await startInspector({ home, port: 0 });
  const credential = () => ({ [inspectorHeader]: `Bearer ${running.state.token}` });
  const send = (path: string, sent: Sent = {}) => sendTo(`${running.url}${path}`, sent);
  async function say(method: string, path: string, body?: unknown) {
    const { status, text } = await send(path, { method, headers: { ...credential(), ...json }, body });
    return { status, body: JSON.parse(text) as Record<string, unknown> };
  }
  return {
    home,
    running: () => running,
    credential,
    send,
    /** As somebody who has the token. */
    say,
    /** Keeps a server, and answers with its id. */
    save: async (settings: object) =>
      String((await say("POST", "/api/v1/projects/proj_local/servers", settings)).body.id),
    async restart(): Promise<void> {
      await running.stop();
      running = await startInspector({ home, port: 0 });
    },
    async stop(): Promise<void> {
      await running.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
