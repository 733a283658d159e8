/** @module Which credential a hosted command uses: the flag, then the environment, then the stored login. Pure; nothing is asked of anyone. */
import { isDead, type StoredLogin } from "./stored-login.ts";

export type Credential =
  | { kind: "api-key"; source: "flag" | "env"; key: string; error?: string }
  | { kind: "oauth"; source: "oauth"; login: StoredLogin; error?: string }
  | { kind: "none"; source: "missing" };

export interface CredentialSources {
  /** `--api-key`, blank included: a key that was typed is never passed over. */
  flag: string | undefined;
  /** `FETTLE_API_KEY`; blank means unset. */
  env: string | undefined;
  login: StoredLogin | undefined;
  now: number;
}

export function resolveCredential({ flag, env, login, now }: CredentialSources): Credential {
  if (flag !== undefined) return apiKey("flag", "--api-key", flag);
  if (env !== undefined && env.trim() !== "") return apiKey("env", "FETTLE_API_KEY", env.trim());
  if (!login) return { kind: "none", source: "missing" };
  const error = isDead(login, now) ? "The stored login has expired." : undefined;
  return { kind: "oauth", source: "oauth", login, ...(error && { error }) };
}

function apiKey(source: "flag" | "env", name: string, key: string): Credential {
  const isKey = /^sk_[\x21-\x7e]+$/.test(key);
  const error = isKey ? undefined : `${name} is not an API key: keys begin with "sk_".`;
  return { kind: "api-key", source, key, ...(error && { error }) };
}
