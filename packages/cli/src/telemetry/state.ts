/** @module Whether anonymous telemetry is on: never unless the person enabled it, and always off when a flag or the environment says so. */
import { writeAtomically } from "../files/atomic-write.ts";
import { telemetryFile } from "../files/home.ts";
import { isRecord, readJsonIfAny } from "../files/read-json.ts";
import type { World } from "../world.ts";

/** Where events would be sent. This build has none, so nothing is sent, whatever the state says. */
const telemetryEndpoint: string | null = null;

export interface TelemetryState {
  version: 1;
  enabled: boolean;
  installId?: string;
  createdAt: string;
  updatedAt: string;
}

export type DisableReason =
  | "--no-telemetry"
  | "DO_NOT_TRACK"
  | "FETTLE_TELEMETRY_DISABLED"
  | "state"
  | "default";

export interface TelemetryReport {
  enabled: boolean;
  installId: string | null;
  installIdCreated: boolean;
  stateFile: string;
  debugMode: boolean;
  disableReason: DisableReason | null;
  endpoint: string | null;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** A file that is not exactly what we write reads as absent, which is off. */
export function parseTelemetryState(value: unknown): TelemetryState | undefined {
  if (!isRecord(value) || value.version !== 1 || typeof value.enabled !== "boolean") return undefined;
  const { enabled, installId, createdAt, updatedAt } = value;
  if (typeof createdAt !== "string" || typeof updatedAt !== "string") return undefined;
  if (installId === undefined) return { version: 1, enabled, createdAt, updatedAt };
  if (typeof installId !== "string" || !uuid.test(installId)) return undefined;
  return { version: 1, enabled, installId, createdAt, updatedAt };
}

export interface TelemetrySwitches {
  noTelemetry: boolean;
  env: NodeJS.ProcessEnv;
  state: TelemetryState | undefined;
}

/** The flag first, then the environment, then the file; with none of them, off. */
export function disableReason({ noTelemetry, env, state }: TelemetrySwitches): DisableReason | null {
  if (noTelemetry) return "--no-telemetry";
  if (env.DO_NOT_TRACK === "1") return "DO_NOT_TRACK";
  if (env.FETTLE_TELEMETRY_DISABLED === "1") return "FETTLE_TELEMETRY_DISABLED";
  if (!state) return "default";
  return state.enabled ? null : "state";
}

export async function readTelemetry(world: World, noTelemetry: boolean): Promise<TelemetryReport> {
  const stateFile = telemetryFile(world);
  const state = parseTelemetryState(await readJsonIfAny(stateFile));
  return reportOf(world, noTelemetry, state, false);
}

/** Remembers the choice. An install id is made by enabling, once; disabling makes none and keeps the one there is. */
export async function setTelemetry(
  world: World,
  noTelemetry: boolean,
  enabled: boolean,
): Promise<TelemetryReport> {
  const stateFile = telemetryFile(world);
  const before = parseTelemetryState(await readJsonIfAny(stateFile));
  const now = new Date(world.now()).toISOString();
  const installId = before?.installId ?? (enabled ? crypto.randomUUID() : undefined);
  const state: TelemetryState = {
    version: 1,
    enabled,
    ...(installId && { installId }),
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
  await writeAtomically(stateFile, `${JSON.stringify(state)}\n`, { mode: 0o600, folderMode: 0o700 });
  return reportOf(world, noTelemetry, state, installId !== undefined && before?.installId === undefined);
}

function reportOf(
  world: World,
  noTelemetry: boolean,
  state: TelemetryState | undefined,
  installIdCreated: boolean,
): TelemetryReport {
  const reason = disableReason({ noTelemetry, env: world.env, state });
  return {
    enabled: reason === null,
    installId: state?.installId ?? null,
    installIdCreated,
    stateFile: telemetryFile(world),
    debugMode: world.env.FETTLE_TELEMETRY_DEBUG === "1",
    disableReason: reason,
    endpoint: telemetryEndpoint,
  };
}
