/** @module A client's config as it is kept: defaults filled in, bounded, and addressed by its content. */
import { ApiError, limits, type ServerId } from "@fettle/contract/core";
import type { ClientConfig, ClientSettings } from "@fettle/contract/environments";
import { canonicalJson } from "@fettle/contract/formats";
import { redact } from "@fettle/contract/secrets";
import { digestOf } from "@fettle/evals";

/** A config with every default written out. */
export type ResolvedConfig = ClientConfig &
  Required<
    Pick<
      ClientConfig,
      | "hostStyle"
      | "systemPrompt"
      | "temperature"
      | "requireToolApproval"
      | "serverIds"
      | "optionalServerIds"
      | "connectionDefaults"
      | "clientCapabilities"
      | "hostContext"
    >
  >;

const connectionDefaults = { headers: {}, requestTimeout: 10_000 };
const defaults = {
  hostStyle: "fettle",
  systemPrompt: "",
  temperature: 0.7,
  requireToolApproval: false,
  serverIds: [],
  optionalServerIds: [],
  clientCapabilities: {},
  hostContext: {},
};

/** Fills in the defaults, so that saying one and leaving it out are the same settings. */
export function resolveConfig(config: ClientConfig): ResolvedConfig {
  // Both belong to the reader's copy, not to the settings.
  const { id: _id, schemaVersion: _schemaVersion, ...settings } = config;
  requireBounded(settings);
  const resolved = {
    ...defaults,
    ...settings,
    connectionDefaults: { ...connectionDefaults, ...settings.connectionDefaults },
  };
  requireDistinctServers(resolved);
  requireNoCredentials(resolved);
  return resolved;
}

/** Each field is replaced whole; null takes it out, which puts its default back where it has one. */
export function changeConfig(config: ClientConfig, set: ClientSettings): ResolvedConfig {
  const changed = Object.entries({ ...config, ...set }).filter(([, value]) => value !== null);
  return resolveConfig(Object.fromEntries(changed) as ClientConfig);
}

export function withServers(
  config: ClientConfig,
  sets: { serverIds: ServerId[]; optionalServerIds: ServerId[] },
): ResolvedConfig {
  const attached = new Set<string>([...sets.serverIds, ...sets.optionalServerIds]);
  const overrides = Object.entries(config.serverConnectionOverrides ?? {}).filter(([id]) => attached.has(id));
  const { serverConnectionOverrides: _overrides, ...rest } = config;
  return resolveConfig({
    ...rest,
    ...sets,
    ...(overrides.length > 0 && { serverConnectionOverrides: Object.fromEntries(overrides) }),
  });
}

export function serversOf(config: ResolvedConfig): ServerId[] {
  return [...config.serverIds, ...config.optionalServerIds];
}

/** Same id, same settings, byte for byte. */
export function configIdOf(config: ResolvedConfig): string {
  return `cfg_${digestOf(config)}`;
}

function requireBounded(config: object): void {
  if (depthOf(config, limits.clients.configDepth) > limits.clients.configDepth) {
    throw refusal("CONFIG_TOO_DEEP", `A config nests at most ${limits.clients.configDepth} levels.`);
  }
  if (Buffer.byteLength(canonicalJson(config)) > limits.clients.configBytes) {
    throw refusal("CONFIG_TOO_LARGE", `A config holds at most ${limits.clients.configBytes} bytes.`);
  }
}

/** Stops one level past the bound, so that no nesting can exhaust the stack. */
function depthOf(value: unknown, bound: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (bound === 0) return 1;
  let deepest = 0;
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, bound - 1));
  return 1 + deepest;
}

function requireDistinctServers(config: ResolvedConfig): void {
  const ids = serversOf(config);
  if (new Set(ids).size < ids.length) throw refusal("SERVER_TWICE", "A server is named twice.");
}

/** Every member reads a config whole, so what opens a server belongs to the saved server, where it is sealed. */
function requireNoCredentials(config: ResolvedConfig): void {
  const sent = [
    config.connectionDefaults.headers,
    ...Object.values(config.serverConnectionOverrides ?? {}).map(({ headersOverride }) => headersOverride),
  ];
  if (canonicalJson(redact(sent)) !== canonicalJson(sent)) {
    throw refusal("CREDENTIAL_IN_CONFIG", "Keep credentials in the saved server's headers, not in a config.");
  }
}

function refusal(code: string, message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", message, { path: "body.config", code });
}
