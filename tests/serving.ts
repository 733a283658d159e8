/** @module A `fettle serve` of its own process, one of several on the same database, and calls to it as a page makes them. */
import { join } from "node:path";
import { expect } from "vitest";
import { type FettleProcess, spawnFettle } from "../packages/cli/src/testing/process.ts";

export interface Serving {
  process: FettleProcess;
  url: string;
  organizationId: string;
  projectId: string;
  signInUrl: string;
  apiKey: string;
}

export interface ServingOptions {
  /** A folder for all of them; each has a data folder of its own in it. */
  home: string;
  name: string;
  env: Record<string, string>;
  sample: boolean;
}

/** Ended with the test. */
export async function startServing({ home, name, env, sample }: ServingOptions): Promise<Serving> {
  const argv = ["serve", "--port", "0", "--data", join(home, name), "--format", "json"];
  const process = spawnFettle(sample ? [...argv, "--sample"] : argv, { cwd: home, env });
  return { process, ...JSON.parse(await process.firstLine) };
}

interface Request {
  method?: string;
  cookie?: string;
  key?: string;
  body?: object;
}

export async function call({ url }: Serving, path: string, { method = "GET", cookie, key, body }: Request) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      "x-fettle-app": "1",
      origin: url,
      ...(cookie && { cookie }),
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  // Whatever was answered; each use says what it expects.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  return { status: answer.status, body: (await answer.json()) as any, headers: answer.headers };
}

export async function signIn(service: Serving): Promise<string> {
  const token = new URLSearchParams(new URL(service.signInUrl).hash.slice(1)).get("token");
  const { status, headers } = await call(service, "/app/sign-in/link", { method: "POST", body: { token } });
  expect(status).toBe(200);
  return headers.getSetCookie()[0]!.split(";")[0]!;
}
