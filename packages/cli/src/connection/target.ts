/** @module Which server the flags name, and with what credential; every conflict is refused before anything is started or sent. */
import type { HeldCredentials } from "@fettle/checks";
import { keysOf } from "@fettle/contract/core";
import { parseTarget, type StoredCredential, type Target } from "@fettle/mcp";
import { usageError } from "../cli-error.ts";
import type { FlagValues } from "../program/flag.ts";
import type { World } from "../world.ts";
import { type FileCredential, readCredentialsFile } from "./credentials-file.ts";
import { asUsageError } from "./failure.ts";
import type { connectionFlags } from "./flags.ts";

export type ConnectionValues = FlagValues<typeof connectionFlags>;

export interface ChosenTarget {
  target: Target;
  held: HeldCredentials;
  /** How a demand for a token is met, when there is more than a token at hand. */
  renewal?: Renewal;
}

/** A login in a file, where new tokens are kept, or one that was typed. */
export type Renewal =
  | { kind: "file"; file: FileCredential }
  | { kind: "typed"; credential: StoredCredential };

export async function chooseTarget(
  flags: ConnectionValues,
  world: Pick<World, "cwd" | "now">,
): Promise<ChosenTarget> {
  refuseConflicts(flags);
  try {
    return flags.url === undefined ? stdioTarget(flags) : await httpTarget(flags, flags.url, world);
  } catch (error) {
    throw asUsageError(error);
  }
}

function refuseConflicts(flags: ConnectionValues): void {
  const { url, command, transport } = flags;
  if (transport === "http" && (url === undefined || command !== undefined)) {
    throw usageError("--transport http goes with --url, and not with --command.");
  }
  if (transport === "stdio" && (command === undefined || url !== undefined)) {
    throw usageError("--transport stdio goes with --command, and not with --url.");
  }
  if ((url === undefined) === (command === undefined)) {
    throw usageError("Name exactly one server: --url for HTTP, or --command for stdio.", {
      hint: "The short way: an address alone, such as http://127.0.0.1:3001/mcp, or -- npx -y some-server.",
    });
  }
  const misplaced = typed(flags, url === undefined ? httpOnly : stdioOnly);
  if (misplaced.length > 0) {
    const [kind, other] = url === undefined ? ["--url", "--command"] : ["--command", "--url"];
    throw usageError(`${misplaced.join(", ")} only goes with ${kind}, and this is ${other}.`);
  }
  refuseAuthConflicts(flags);
}

const httpOnly = {
  accessToken: "--access-token",
  oauthAccessToken: "--oauth-access-token",
  refreshToken: "--refresh-token",
  clientId: "--client-id",
  clientSecret: "--client-secret",
  credentialsFile: "--credentials-file",
  header: "--header",
} as const satisfies Partial<Record<keyof ConnectionValues, string>>;

const stdioOnly = {
  args: "--args",
  commandArgs: "--command-args",
  env: "--env",
  cwd: "--cwd",
} as const satisfies Partial<Record<keyof ConnectionValues, string>>;

function typed(flags: ConnectionValues, table: Partial<Record<keyof ConnectionValues, string>>): string[] {
  return keysOf(table).flatMap((key) => {
    const [value, spelling] = [flags[key], table[key]];
    const isTyped = value !== undefined && !(Array.isArray(value) && value.length === 0);
    return isTyped && spelling !== undefined ? [spelling] : [];
  });
}

function refuseAuthConflicts(flags: ConnectionValues): void {
  const { header: _header, credentialsFile: _file, ...others } = httpOnly;
  const rivals = typed(flags, others);
  if (flags.credentialsFile !== undefined && rivals.length > 0) {
    throw usageError(`--credentials-file cannot be combined with ${rivals.join(", ")}.`);
  }
  const { accessToken, oauthAccessToken, refreshToken, clientId, clientSecret } = flags;
  if (accessToken !== undefined && oauthAccessToken !== undefined && accessToken !== oauthAccessToken) {
    throw usageError("--access-token and --oauth-access-token differ; give one.");
  }
  const hasToken = accessToken !== undefined || oauthAccessToken !== undefined;
  if (refreshToken !== undefined && hasToken) {
    throw usageError("Give --refresh-token or an access token, not both.");
  }
  if (refreshToken !== undefined && clientId === undefined) {
    throw usageError("--refresh-token needs --client-id.");
  }
  if (refreshToken === undefined && (clientId !== undefined || clientSecret !== undefined)) {
    throw usageError("--client-id and --client-secret only go with --refresh-token.");
  }
}

function stdioTarget({ command = "", args, commandArgs, env, cwd }: ConnectionValues): ChosenTarget {
  const target = parseTarget({
    command,
    args: [...args, ...commandArgs],
    env: Object.fromEntries(env.map(readVariable)),
    ...(cwd !== undefined && { cwd }),
  });
  return { target, held: {} };
}

export function readVariable(entry: string): [string, string] {
  const at = entry.indexOf("=");
  if (at < 1) throw usageError(`--env takes KEY=VALUE, not "${at < 0 ? entry : "=…"}".`);
  return [entry.slice(0, at), entry.slice(at + 1)];
}

async function httpTarget(
  flags: ConnectionValues,
  url: string,
  world: Pick<World, "cwd" | "now">,
): Promise<ChosenTarget> {
  const headers = Object.fromEntries(flags.header.map(readHeader));
  const given = { url, headers };
  const { refreshToken, clientId, clientSecret } = flags;
  if (flags.credentialsFile !== undefined) {
    // Checked first: a bad URL should be told as such, not as a mismatch with the file.
    parseTarget(given);
    const file = await readCredentialsFile(flags.credentialsFile, url, world);
    return fromFile(given, file);
  }
  const accessToken = flags.accessToken ?? flags.oauthAccessToken;
  if (refreshToken === undefined || clientId === undefined) {
    return { target: parseTarget({ ...given, ...(accessToken !== undefined && { accessToken }) }), held: {} };
  }
  return {
    target: parseTarget(given),
    held: { hasRefreshToken: true, hasClientSecret: clientSecret !== undefined },
    renewal: {
      kind: "typed",
      credential: {
        grant: "refresh_token",
        client: { clientId, ...(clientSecret !== undefined && { clientSecret }) },
        tokens: { refreshToken },
      },
    },
  };
}

function fromFile(
  given: { url: string; headers: Record<string, string> },
  file: FileCredential,
): ChosenTarget {
  const { accessToken, refreshToken, clientSecret } = file.content;
  return {
    target: parseTarget({ ...given, ...(file.isFresh && accessToken !== undefined && { accessToken }) }),
    held: { hasRefreshToken: refreshToken !== undefined, hasClientSecret: clientSecret !== undefined },
    ...(refreshToken !== undefined && { renewal: { kind: "file", file } }),
  };
}

/** `Name: value`; the name must be there, the value may be empty. */
export function readHeader(entry: string): [string, string] {
  const at = entry.indexOf(":");
  const name = entry.slice(0, Math.max(0, at)).trim();
  if (name === "") throw usageError('--header takes "Name: value".');
  return [name, entry.slice(at + 1).trim()];
}
