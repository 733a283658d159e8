/** @module Which deployment a hosted command talks to. Pure; nothing is asked of anyone. */
import type { Credential } from "./credential.ts";

/** The service on this machine, as `fettle serve` starts it. */
export const defaultApiUrl = "http://localhost:7400/api/v1";

export interface Deployment {
  /** Without a trailing slash; as given when it is no address. */
  apiUrl: string;
  source: "flag" | "env" | "oauth" | "default";
  error?: string;
}

export interface DeploymentSources {
  /** `--api-url` */
  flag: string | undefined;
  /** `FETTLE_API_URL`; blank means unset. */
  env: string | undefined;
  credential: Credential;
}

/** A key may belong to any deployment, so only the stored login brings its own address along. */
export function resolveDeployment({ flag, env, credential }: DeploymentSources): Deployment {
  if (flag !== undefined) return deploymentAt("flag", "--api-url", flag);
  if (env !== undefined && env.trim() !== "") return deploymentAt("env", "FETTLE_API_URL", env);
  if (credential.kind === "oauth" && credential.login.apiUrl) {
    return { apiUrl: trimmed(new URL(credential.login.apiUrl)), source: "oauth" };
  }
  return { apiUrl: defaultApiUrl, source: "default" };
}

function deploymentAt(source: "flag" | "env", name: string, given: string): Deployment {
  const url = URL.parse(given.trim());
  const error = url ? refusal(url) : "it is not an address";
  if (!url || error) {
    return { apiUrl: given, source, error: `${name} is not the address of an API: ${error}.` };
  }
  return { apiUrl: trimmed(url), source };
}

function refusal(url: URL): string | undefined {
  if (url.protocol !== "http:" && url.protocol !== "https:") return "it must begin with http:// or https://";
  if (url.username || url.password) return "it must not hold a user name or password";
  if (url.search || url.hash) return "it must not have a query or fragment";
  return undefined;
}

/** An address with no path means the service at that address, whose API is always below `/api/v1`. */
function trimmed(url: URL): string {
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.origin}${path || "/api/v1"}`;
}
