/** @module An address looked at before it is saved: whether an MCP server is there, and what it calls itself. */
import type { ProjectId } from "@fettle/contract/core";
import { type ServerLookRequest, watchedLimits } from "@fettle/contract/servers";
import { connect, parseTarget, Recorder, secretsOf } from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import { networkPolicy } from "../../core/network-policy.ts";
import { listServers } from "../saved/store.ts";
import { readAddress } from "./requests.ts";
import { freeName, nameOf } from "./validation.ts";

/** Whoever does not answer is named by their host: that the server cannot be reached is told once it is saved. */
export async function lookAtServer(
  app: App,
  projectId: ProjectId,
  { url, headers = {} }: ServerLookRequest,
): Promise<{ answers: boolean; name: string }> {
  const address = readAddress(url);
  const said = await askName(app, address, headers);
  const taken = new Set((await listServers(app.db, projectId)).map(({ name }) => name.toLowerCase()));
  return { answers: said !== undefined, name: freeName(said?.name ?? new URL(address).hostname, taken) };
}

async function askName(
  app: App,
  url: string,
  headers: Record<string, string>,
): Promise<{ name: string | undefined } | undefined> {
  const target = parseTarget({ url, headers });
  const { lookMs } = watchedLimits;
  try {
    const connection = await connect(target, {
      policy: networkPolicy(app),
      timeouts: { connectMs: lookMs, idleMs: lookMs, totalMs: lookMs },
      recorder: new Recorder({ limits: { entries: 0, bytes: 0, textBytes: 0 }, secrets: secretsOf(target) }),
    });
    const name = nameOf(connection);
    await connection.close();
    return { name };
  } catch {
    return undefined;
  }
}
