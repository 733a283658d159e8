/** @module The server of a suite file, said as the connection flags would say it, so that one set of rules holds for both. */
import * as z from "zod";
import type { ConnectionValues } from "../connection/target.ts";
import { waitMs } from "../input/parse-with.ts";

export const SuiteTarget = z.strictObject({
  url: z.string().min(1).optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  cwd: z.string().min(1).optional(),
  accessToken: z.string().min(1).optional(),
  headers: z.record(z.string(), z.string()).default({}),
  /** Milliseconds for one run. */
  timeout: waitMs.optional(),
});

export function targetFlags(target: z.output<typeof SuiteTarget>): {
  flags: ConnectionValues;
  timeout: number | undefined;
} {
  const { url, command, args, env, cwd, accessToken, headers, timeout } = target;
  return {
    timeout,
    flags: {
      url,
      command,
      args,
      commandArgs: [],
      env: Object.entries(env).map(([key, value]) => `${key}=${value}`),
      cwd,
      accessToken,
      oauthAccessToken: undefined,
      refreshToken: undefined,
      clientId: undefined,
      clientSecret: undefined,
      credentialsFile: undefined,
      header: Object.entries(headers).map(([key, value]) => `${key}: ${value}`),
      transport: undefined,
      protocolVersion: undefined,
      clientCapabilities: undefined,
    },
  };
}
