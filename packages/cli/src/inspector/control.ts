/** @module Finds the local inspector, starts it, and speaks to it with the token that only this person can read. */
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { must } from "@fettle/contract/formats";
import {
  InspectorCommandAnswer,
  type InspectorFault,
  InspectorHealth,
  type InspectorPayloads,
  InspectorState,
  InspectorStatus,
  inspectorHeader,
  inspectorLimits,
} from "@fettle/contract/inspector";
import { CliError, operationalError } from "../cli-error.ts";
import { stateFolder } from "../files/home.ts";
import { readJsonIfAny } from "../files/read-json.ts";
import type { World } from "../world.ts";
import { originOf } from "./address.ts";

export interface Inspector {
  url: string;
  token: string;
  startId: string;
  version: string;
}

/** Unless `--timeout` says otherwise. */
export const startMs = 30_000;
const pollMs = 250;
const logBytes = 1024 * 1024;

/** The one that answers, if one does. */
export async function findInspector(world: World, given: string | undefined): Promise<Inspector | undefined> {
  const elsewhere = given ?? world.env.FETTLE_INSPECTOR_URL;
  const state = await readState(world);
  if (elsewhere === undefined) {
    const health = state && (await healthOf(state.url));
    // The file may be left of one that was killed, and its port somebody else's by now.
    return state && health?.startId === state.startId ? { ...state } : undefined;
  }
  const url = originOf(elsewhere);
  const health = await healthOf(url);
  if (!health) {
    if (await isAnswered(url)) throw operationalError(`What answers at ${url} is no inspector.`);
    return undefined;
  }
  const token = state?.url === url ? state.token : world.env.FETTLE_INSPECTOR_TOKEN;
  if (token === undefined) {
    throw new CliError("OPERATIONAL_ERROR", `The token of the inspector at ${url} is not known here.`, {
      hint: "Set FETTLE_INSPECTOR_TOKEN to the `token` in inspector.json of whoever started it.",
    });
  }
  return { url, token, startId: health.startId, version: health.version };
}

/** Starts one in the background and waits until it answers. */
export async function startInspector(world: World, timeoutMs: number): Promise<Inspector> {
  const log = logFile(world);
  const out = openSync(log, "a", 0o600);
  const child = spawn(
    process.execPath,
    [...process.execArgv, must(process.argv[1], "the program"), "inspector", "serve", "--format", "json"],
    {
      detached: true,
      stdio: ["ignore", out, out],
      // It stays when the npx that started this command ends.
      env: { ...world.env, npm_lifecycle_event: undefined },
      cwd: world.home,
    },
  );
  closeSync(out);
  child.unref();
  let isOver = false;
  child.once("exit", () => {
    isOver = true;
  });
  child.once("error", () => {
    isOver = true;
  });
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    const inspector = await findInspector(world, undefined);
    if (inspector) return inspector;
    if (isOver) break;
    await wait(Math.min(pollMs, 50));
  }
  throw new CliError("OPERATIONAL_ERROR", "The inspector did not start.", {
    hint: `What it said is in ${log}.`,
    details: { log },
  });
}

export async function statusOf(inspector: Inspector): Promise<InspectorStatus> {
  return InspectorStatus.parse(await speak(inspector, "GET", "/api/status"));
}

/** An address that lets a page in, once. */
export async function pageUrl(inspector: Inspector, path = "/"): Promise<URL> {
  const { code } = (await speak(inspector, "POST", "/api/session-codes", {})) as { code: string };
  const url = new URL(path, inspector.url);
  url.hash = `k=${code}`;
  return url;
}

/** Waits until it answers no more. */
export async function stopInspector(inspector: Inspector, timeoutMs: number): Promise<void> {
  await speak(inspector, "POST", "/api/shutdown", {});
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if ((await healthOf(inspector.url))?.startId !== inspector.startId) return;
    await wait(50);
  }
  throw new CliError("OPERATIONAL_ERROR", "The inspector was told to stop, and still answers.");
}

/** Tells the page that is open to do something; a refusal is an answer too. */
export async function command(
  inspector: Inspector,
  body: {
    [Type in keyof InspectorPayloads]: { type: Type; payload: InspectorPayloads[Type]; target?: string };
  }[keyof InspectorPayloads],
  timeoutMs: number,
): Promise<InspectorCommandAnswer> {
  const response = await send(inspector, "POST", "/api/mcp/command", { ...body, timeoutMs });
  const read = InspectorCommandAnswer.safeParse(await response.json().catch(() => null));
  if (read.success) return read.data;
  const message = `The inspector answered ${response.status} in a way that is not understood.`;
  return { id: "", status: "error", error: { code: "execution_failed", message } };
}

/** Whether the inspector's own connection to a server stands, and why not. */
export async function connectServer(
  inspector: Inspector,
  serverId: string,
): Promise<InspectorFault | undefined> {
  const response = await send(inspector, "POST", "/api/mcp/connect", { serverId });
  if (response.ok) return undefined;
  const { message = "It does not answer." } = (await response.json().catch(() => ({}))) as {
    message?: string;
  };
  return { code: "disconnected_server", message: `The inspector does not reach the server: ${message}` };
}

export async function speak(
  inspector: Inspector,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await send(inspector, method, path, body);
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer;
  const { message = `The inspector answered ${response.status}.` } = (answer ?? {}) as { message?: string };
  throw new CliError("OPERATIONAL_ERROR", message, { details: answer });
}

function send({ url, token }: Inspector, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${url}${path}`, {
    method,
    headers: {
      [inspectorHeader]: `Bearer ${token}`,
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function readState(world: World): Promise<InspectorState | undefined> {
  const read = InspectorState.safeParse(await readJsonIfAny(join(stateFolder(world), "inspector.json")));
  return read.success ? read.data : undefined;
}

async function healthOf(url: string): Promise<InspectorHealth | undefined> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(inspectorLimits.healthMs) });
    const read = InspectorHealth.safeParse(await response.json());
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}

async function isAnswered(url: string): Promise<boolean> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(inspectorLimits.healthMs), redirect: "manual" });
    return true;
  } catch {
    return false;
  }
}

/** Among the inspector's own files, where nobody else can put one first; a long one is put aside. */
function logFile(world: World): string {
  const folder = join(stateFolder(world), "inspector");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "inspector.log");
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > logBytes) renameSync(path, `${path}.1`);
  return path;
}
