/** @module Which facts about hosts `compat` judges by: those of this release, or those of a deployment that keeps its own. */
import { createClient } from "@fettle/contract/client";
import { type HostCatalog, type HostProfile, loadHostCatalog } from "@fettle/mcp";
import { usageError } from "../cli-error.ts";
import { authFile } from "../files/home.ts";
import { text } from "../output/text.ts";
import type { Call } from "../program/command.ts";
import { version } from "../version.ts";
import { resolveCredential } from "./credential.ts";
import { resolveDeployment } from "./deployment.ts";
import { reachDeployment } from "./reach-deployment.ts";
import { readStoredLogin } from "./stored-login.ts";

export interface ChosenCatalog {
  catalog: HostProfile[];
  catalogSource: HostCatalog["source"];
  catalogVersion: number;
}

type CatalogCall = Pick<Call, "credentials" | "global" | "print" | "world"> & {
  flags: { offline: boolean; catalogUrl?: string | undefined };
};

/** Facts about hosts are not worth a long wait. */
const patienceMs = 2_500;

export async function findCatalog(call: CatalogCall): Promise<ChosenCatalog> {
  const { offline, catalogUrl } = call.flags;
  const bundled = await loadHostCatalog();
  const own: ChosenCatalog = {
    catalog: bundled.catalog,
    catalogSource: "bundled",
    catalogVersion: bundled.version,
  };
  if (catalogUrl === undefined) return own;
  const { apiUrl, error } = resolveDeployment({
    flag: catalogUrl,
    env: undefined,
    credential: { kind: "none", source: "missing" },
  });
  if (error) throw usageError(error.replace("--api-url", "--catalog-url"));
  if (offline) return own;
  try {
    const client = await clientFor(call, apiUrl);
    const live = await client.getHostCompatCatalog({}, { timeoutMs: patienceMs });
    return {
      // What a deployment keeps has the facts that the bundled one has.
      catalog: live.catalog as HostProfile[],
      catalogSource: "live",
      catalogVersion: live.version,
    };
  } catch (failure) {
    const why = failure instanceof Error ? failure.message : String(failure);
    call.print.warn(
      text`The catalogue of hosts at ${apiUrl} cannot be used: ${why} Judging by the bundled one.`,
    );
    return own;
  }
}

/** A credential goes only to the deployment it belongs to. */
async function clientFor(call: CatalogCall, apiUrl: string) {
  const { env, now } = call.world;
  const login = await readStoredLogin(authFile(call.world));
  const credential = resolveCredential({ flag: undefined, env: env.FETTLE_API_KEY, login, now: now() });
  const { apiUrl: home } = resolveDeployment({ flag: undefined, env: env.FETTLE_API_URL, credential });
  if (credential.kind !== "none" && home === apiUrl) {
    const hosted = { ...call, credentials: { apiKey: undefined, apiUrl: undefined, apiHeader: [] } };
    return (await reachDeployment(hosted)).client;
  }
  return createClient({ baseUrl: apiUrl, timeoutMs: patienceMs, userAgent: `fettle-cli/${version}` });
}
