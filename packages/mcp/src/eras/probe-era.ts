/** @module Which era does this server speak? One `server/discover`, and the rules for reading whatever comes back. */
import { asMcpError, type McpError } from "../failure.ts";
import { isObject } from "../messages/jsonrpc.ts";
import { rpcCodes } from "../messages/stateless-meta.ts";
import type { Dialog } from "../wire/dialog.ts";
import type { Era, Opening } from "./era.ts";
import { discover, undiscovered } from "./era-2026-07-28.ts";

export type ProbeOutcome =
  | { kind: "stateless"; opening: Opening }
  | {
      kind: "stateful";
      reason: string;
      /** Versions the server named; the handshake offers one of them. */
      versions?: string[];
      failure?: McpError;
    };

export interface ProbeOptions {
  signal: AbortSignal;
  timeoutMs: number;
  /** On stdio an unknown request may simply be ignored; over HTTP silence is a fault. */
  silenceIsStateful: boolean;
}

/** Only definite evidence makes a server stateless; what is merely not understood means the older handshake. */
export async function probeStateless(dialog: Dialog, era: Era, options: ProbeOptions): Promise<ProbeOutcome> {
  try {
    const opening = await discover(dialog, era, options);
    if (opening.supportedVersions?.includes(era.version)) return { kind: "stateless", opening };
    return {
      kind: "stateful",
      reason: `it names ${opening.supportedVersions?.join(", ")}`,
      ...(opening.supportedVersions && { versions: opening.supportedVersions }),
    };
  } catch (error) {
    return outcomeOf(asMcpError(error), era, options);
  }
}

function outcomeOf(failure: McpError, era: Era, options: ProbeOptions): ProbeOutcome {
  const stateful = (reason: string): ProbeOutcome => ({ kind: "stateful", reason, failure });
  switch (failure.code) {
    case "RPC_ERROR": {
      const { rpcCode, data } = failure.details;
      if (rpcCode === rpcCodes.headerMismatch || rpcCode === rpcCodes.missingCapability) {
        return { kind: "stateless", opening: undiscovered(era.version) };
      }
      if (rpcCode === rpcCodes.unsupportedVersion) {
        const named = isObject(data) && Array.isArray(data.supported) ? data.supported : [];
        const versions = named.filter((version) => typeof version === "string");
        return {
          kind: "stateful",
          reason: `it supports ${versions.join(", ") || "no named version"}`,
          versions,
          failure,
        };
      }
      return stateful(`it answered ${rpcCode}: ${failure.message}`);
    }
    case "HTTP_STATUS":
      // Whoever counts requests has not read this one.
      if (failure.details.status === 429) throw failure;
      return stateful(`it answered ${failure.details.status}`);
    case "WRONG_CONTENT_TYPE":
    case "NO_ANSWER":
    case "INVALID_MESSAGE":
    case "INVALID_RESULT":
      return stateful(failure.message);
    case "PROCESS_EXITED":
      return stateful("it ended when asked");
    case "TIMEOUT":
      if (options.silenceIsStateful && !options.signal.aborted) return stateful("it did not answer");
      throw failure;
    default:
      throw failure;
  }
}
