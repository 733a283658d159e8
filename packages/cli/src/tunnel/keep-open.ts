/**
 * @module Keeps a tunnel open: connects again when the connection is lost, asks for a new grant when the old one no longer opens it,
 * and ends when it is over for good.
 *
 *     connecting ──hello──▶ open ──lost──▶ waiting ──▶ connecting
 *         │                  │                            │ 4000, after it was open once
 *         │                  │ 4001, 4002, 4003           └──▶ new grant ──▶ connecting
 *         └──refused──▶ ended ◀┘
 */
import { setTimeout as delay } from "node:timers/promises";
import { limits } from "@fettle/contract/core";
import { type TunnelGrant, tunnelClose } from "@fettle/contract/servers";
import { CliError, toCliError } from "../cli-error.ts";
import { RelayRefusal, type RelaySocket } from "./relay-socket.ts";

export type TunnelNews =
  | { kind: "lost"; code: number }
  | { kind: "waiting"; ms: number; why: string }
  | { kind: "back" }
  /** The address has changed. */
  | { kind: "renewed"; grant: TunnelGrant };

export interface KeepOpenOptions {
  grant: TunnelGrant;
  connect(grant: TunnelGrant): Promise<RelaySocket>;
  renew(): Promise<TunnelGrant>;
  onNews(news: TunnelNews): void;
}

export interface KeptTunnel {
  /** Settles when it is over for good without having been closed. */
  ended: Promise<CliError>;
  close(): void;
}

const { min, max } = limits.tunnels.reconnectMs;
/** A first connection that fails this often says that it will not work. */
const firstAttempts = 3;
const renewals = { most: 3, withinMs: 60_000 };

/** Resolves when the tunnel is open for the first time. */
export async function keepOpen(options: KeepOpenOptions): Promise<KeptTunnel> {
  const { connect, onNews } = options;
  const stop = new AbortController();
  const ended = Promise.withResolvers<CliError>();
  let { grant } = options;
  let renewedAt: number[] = [];
  let socket = await connectFirst();

  async function connectFirst(): Promise<RelaySocket> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await connect(grant);
      } catch (error) {
        const final = finalReason(error);
        if (final) throw final;
        if (attempt >= firstAttempts) throw unreachable(grant.relayWsUrl, error);
        await pause(attempt, error);
      }
    }
  }

  async function keep(): Promise<void> {
    for (;;) {
      const code = await socket.closed;
      if (stop.signal.aborted) return;
      const final = finalCode(code);
      if (final) throw final;
      onNews({ kind: "lost", code });
      socket = await connectAgain(code === tunnelClose.restart);
      if (stop.signal.aborted) return socket.close();
      onNews({ kind: "back" });
    }
  }

  async function connectAgain(atOnce: boolean): Promise<RelaySocket> {
    let reason: unknown;
    for (let attempt = atOnce ? 0 : 1; ; attempt++) {
      if (attempt > 0) await pause(attempt, reason);
      try {
        return await connect(grant);
      } catch (error) {
        reason = error;
        if (error instanceof RelayRefusal && error.code === tunnelClose.badToken) {
          // A new grant is tried at once.
          if (await renew()) attempt = -1;
        } else {
          const final = finalReason(error);
          if (final) throw final;
        }
      }
    }
  }

  /** The machine was away for longer than its grant. False when nobody could be asked. */
  async function renew(): Promise<boolean> {
    const now = performance.now();
    renewedAt = renewedAt.filter((at) => now - at < renewals.withinMs);
    if (renewedAt.length >= renewals.most) {
      throw closedForGood("The relay refuses every new grant.", tunnelClose.badToken);
    }
    renewedAt.push(now);
    try {
      grant = await options.renew();
    } catch (error) {
      const failure = toCliError(error);
      // Nobody answered: that may pass. Anything else is an answer.
      if (failure.code === "SERVER_UNREACHABLE" || failure.code === "TIMEOUT") return false;
      throw failure;
    }
    onNews({ kind: "renewed", grant });
    return true;
  }

  async function pause(attempt: number, reason: unknown): Promise<void> {
    const most = Math.min(max, min * 2 ** (attempt - 1));
    const ms = Math.round(most * (0.5 + Math.random() / 2));
    const why = reason instanceof Error ? reason.message : "";
    onNews({ kind: "waiting", ms, why });
    await delay(ms, undefined, { signal: stop.signal });
  }

  keep().catch((error: unknown) => {
    if (!stop.signal.aborted) ended.resolve(toCliError(error));
  });

  return {
    ended: ended.promise,
    close: () => {
      stop.abort();
      socket.close();
    },
  };
}

function finalReason(error: unknown): CliError | undefined {
  return error instanceof RelayRefusal ? finalCode(error.code) : undefined;
}

function finalCode(code: number): CliError | undefined {
  switch (code) {
    case tunnelClose.badToken:
      return closedForGood("The relay does not accept this tunnel.", code);
    case tunnelClose.replaced:
      return closedForGood("The tunnel was opened again elsewhere, and this one gave way.", code);
    case tunnelClose.revoked:
      return closedForGood("The tunnel was closed.", code);
    case tunnelClose.openerGone:
      return closedForGood(
        "The API key or login that opened this tunnel was revoked, has expired, or no longer opens the project.",
        code,
        "Set another key or run `fettle cloud login`, then run the same command.",
      );
    default:
      return undefined;
  }
}

function closedForGood(
  message: string,
  closeCode: number,
  hint = "Run the same command to open it again: the address keeps its name and gets a new secret.",
): CliError {
  return new CliError("TUNNEL_CLOSED", message, { details: { closeCode }, hint });
}

function unreachable(relayWsUrl: string, cause: unknown): CliError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CliError("SERVER_UNREACHABLE", `The relay at ${relayWsUrl} could not be reached: ${reason}`, {
    hint: "A proxy in front of the service must let WebSockets through to /tunnel-relay.",
    cause,
  });
}
