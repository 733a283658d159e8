/** @module What to try when connecting, worked out before anything is touched: identity, versions, and how long. */
import { eraOfVersion, latestStateless, statefulVersions } from "../eras/era.ts";
import { McpError } from "../failure.ts";
import type { HostProfile } from "../hosts/host.ts";
import type { Timeouts } from "../limits.ts";
import type { JsonObject } from "../messages/jsonrpc.ts";
import { capabilitiesOf } from "./client-handlers.ts";
import { clientTasksOf } from "./client-tasks.ts";
import type { ConnectOptions } from "./connect.ts";

export interface Plan {
  clientInfo: JsonObject;
  capabilities: JsonObject;
  /** The same, with what only a handshake tells. */
  statefulCapabilities: JsonObject;
  /** Try the stateless revision. */
  stateless: boolean;
  /** Versions for the handshake, newest last; empty when there must be none. */
  stateful: readonly string[];
  probeMs: number;
  connectMs: number;
  logLevel?: string | undefined;
  /** Open the listening stream: someone wants to hear. */
  listens: boolean;
  /** Ends the attempt: the deadline or the caller. */
  signal: AbortSignal;
}

const defaultProbeMs = 5_000;

export function planConnection(options: ConnectOptions, timeouts: Timeouts): Omit<Plan, "signal"> {
  const { host, handlers = {} } = options;
  const capabilities = options.capabilities ?? host?.clientCapabilities ?? capabilitiesOf(handlers);
  return {
    clientInfo: options.clientInfo ?? host?.clientInfo ?? { name: "fettle", version: "0.1.0" },
    capabilities,
    statefulCapabilities: {
      ...capabilities,
      ...(options.takesTasks && { tasks: clientTasksOf(capabilities) }),
    },
    ...versionsFor(options, host),
    probeMs: Math.min(options.probeMs ?? defaultProbeMs, timeouts.connectMs / 2),
    connectMs: timeouts.connectMs,
    logLevel: options.logLevel,
    listens: options.onNotification !== undefined || Object.keys(handlers).length > 0,
  };
}

/** A signal for the time allowed, which is also the caller's. */
export function startDeadline(
  connectMs: number,
  signal: AbortSignal | undefined,
): { signal: AbortSignal; clear(): void } {
  const deadline = new AbortController();
  const late = new McpError("TIMEOUT", `No connection within ${connectMs} ms.`, {
    hint: "The server may still be starting, or it never answers; look at its log, or allow more time.",
    details: { phase: "connect", timeoutMs: connectMs },
  });
  const timer = setTimeout(() => deadline.abort(late), connectMs);
  return {
    signal: signal ? AbortSignal.any([deadline.signal, signal]) : deadline.signal,
    clear: () => clearTimeout(timer),
  };
}

function versionsFor(
  { protocolVersion: pin, era }: Pick<ConnectOptions, "protocolVersion" | "era">,
  host: HostProfile | undefined,
): Pick<Plan, "stateless" | "stateful"> {
  if (pin !== undefined) {
    return eraOfVersion(pin) === "stateless"
      ? { stateless: true, stateful: [] }
      : { stateless: false, stateful: [pin] };
  }
  if (era !== undefined) {
    return era === "stateless"
      ? { stateless: true, stateful: [] }
      : { stateless: false, stateful: statefulVersions };
  }
  const handshake = host?.protocol.handshakeVersions;
  if (!host || !handshake) return { stateless: true, stateful: statefulVersions };
  const modern =
    host.protocol.versionPolicy === "auto" && host.protocol.advertisedVersions?.includes(latestStateless);
  return { stateless: modern ?? false, stateful: [...handshake].sort() };
}
