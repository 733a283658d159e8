/** @module The real service for tests of cloud commands: its own database, the sample project, and a key to it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Serving, serve } from "@fettle/service";
import { silentLog, testDatabase } from "@fettle/service/testing";
import { type TestWorldOptions, testWorld } from "./world.ts";

export interface CloudService {
  service: Serving;
  projectId: string;
  databaseUrl: string;
  /** What a process needs to reach it. */
  env: Record<string, string>;
  /** Runs a cloud command and answers its parsed result or error. */
  cloud(argv: readonly string[], options?: TestWorldOptions): Promise<CloudAnswer>;
  /** Asks the API. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert what is in it
  api(path: string, body?: unknown): Promise<{ status: number; body: any }>;
  /** Changes what is stored, for what takes a day to come about by itself. */
  sql(statement: string): Promise<unknown>;
  stop(): Promise<void>;
}

export interface CloudAnswer {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** The result, or the error. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert what is in it
  body: any;
}

export async function startCloudService(more: Record<string, string> = {}): Promise<CloudService> {
  const folder = await mkdtemp(join(tmpdir(), "fettle-cloud-"));
  const database = await testDatabase();
  const service = await serve({
    flags: { port: "0", data: folder },
    env: {
      DATABASE_URL: database.url.reveal(),
      FETTLE_LIMIT_KEY_BURST: "10000",
      FETTLE_SAMPLE_VISITORS: "off",
      ...more,
    },
    sample: true,
    log: silentLog,
  });
  const projectId = service.projectId!;
  const env = {
    FETTLE_API_KEY: service.apiKey!,
    FETTLE_API_URL: service.url,
    FETTLE_PROJECT: projectId,
    NO_COLOR: "1",
  };
  return {
    service,
    projectId,
    databaseUrl: database.url.reveal(),
    env,
    async cloud(argv, options = {}) {
      const { fettle } = await testWorld({ ...options, env: { ...env, ...options.env } });
      const { stdout, stderr, exitCode } = await fettle("cloud", ...argv, "--quiet");
      const last = (stdout || stderr).trim().split("\n").at(-1)!;
      const parsed = last.startsWith("{") ? JSON.parse(last) : undefined;
      return { exitCode, stdout, stderr, body: stdout ? parsed : parsed?.error };
    },
    async api(path, body) {
      const response = await fetch(`${service.url}/api/v1/projects/${projectId}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          authorization: `Bearer ${service.apiKey}`,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
    sql: (statement) => database.pool.query(statement),
    async stop() {
      await service.stop();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
