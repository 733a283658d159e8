/** @module Why a request did not get through a tunnel, as HTTP says it. */
import { ApiError } from "@fettle/contract/core";
import { type TunnelAbort, tunnelDownHint, tunnelSilentHint } from "@fettle/contract/servers";

const hint = tunnelDownHint();

export function tunnelDown(): ApiError {
  return new ApiError("SERVER_UNREACHABLE", "Nobody is connected to this tunnel.", {
    reason: "TUNNEL_DOWN",
    hint,
  });
}

/** Connected, but the command at the other end is suspended, or its machine asleep. */
export function tunnelSilent(): ApiError {
  return new ApiError("SERVER_UNREACHABLE", "The tunnel does not answer.", {
    reason: "TUNNEL_SILENT",
    hint: tunnelSilentHint,
  });
}

export function tunnelClosed(): ApiError {
  return new ApiError("SERVER_UNREACHABLE", "This tunnel is closed.", { reason: "TUNNEL_CLOSED", hint });
}

export function tooManyInFlight(limit: number): ApiError {
  return new ApiError(
    "RATE_LIMITED",
    "Too many requests are under way through this tunnel.",
    { reason: "TUNNEL_BUSY", limit },
    1,
  );
}

export function tooLarge(limit: number): ApiError {
  const details = { reason: "body_too_large", limit };
  return new ApiError("VALIDATION_ERROR", "The body is too large for a tunnel.", details, { status: 413 });
}

/** What the other side, or the wait for it, ended a request with. */
export function aborted(code: TunnelAbort): ApiError {
  if (code === "timeout") {
    return new ApiError("TIMEOUT", "The server behind the tunnel did not answer in time.", {
      reason: "TUNNEL_TIMEOUT",
    });
  }
  return new ApiError("SERVER_UNREACHABLE", "The server behind the tunnel could not be asked.", {
    reason: `TUNNEL_${code.toUpperCase()}`,
  });
}
