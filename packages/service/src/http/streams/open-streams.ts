/** @module How many live streams are open in this process, and whose. Beyond a cap the next one is refused, so that nobody's open pages slow down others. */
import { ApiError, limits } from "@fettle/contract/core";

export interface StreamLimits {
  perSession: number;
  perAccount: number;
  perProcess: number;
}

export interface OpenStreams {
  /** Takes a place or throws 429. What it returns gives the place back, once. */
  enter(holder: { sessionId: string; userId: string }): () => void;
  count(): number;
}

declare module "../../core/app.ts" {
  interface App {
    /** The live streams of pages that are open in this process. */
    openStreams: OpenStreams;
    /** The same of visitors, who take no place from those. */
    visitStreams: OpenStreams;
  }
}

type Scope = "session" | "account" | "process";

const words: Record<Scope, { message(limit: number): string; hint: string }> = {
  session: {
    message: (limit) => `This browser has ${limit} live streams open already.`,
    hint: "Close some of them. Tabs of one browser can share a stream, as the web app's do.",
  },
  account: {
    message: (limit) => `Your account has ${limit} live streams open already.`,
    hint: "Close pages in other browsers, or read again every few seconds instead.",
  },
  process: {
    message: (limit) => `This service has ${limit} live streams open, and takes no more.`,
    hint: "Read again every few seconds instead; the operator can run another process.",
  },
};

/**
 * @example
 * const leave = openStreams.enter(caller);
 * socket.once("close", leave);
 */
export function createOpenStreams(caps: StreamLimits = limits.streams): OpenStreams {
  const sessions = new Map<string, number>();
  const accounts = new Map<string, number>();
  let open = 0;

  function refuse(scope: Scope, limit: number): never {
    const { message, hint } = words[scope];
    throw new ApiError(
      "RATE_LIMITED",
      message(limit),
      { reason: "STREAM_LIMIT", scope, limit, hint },
      limits.streams.retryAfterSeconds,
    );
  }

  return {
    enter({ sessionId, userId }) {
      if ((sessions.get(sessionId) ?? 0) >= caps.perSession) refuse("session", caps.perSession);
      if ((accounts.get(userId) ?? 0) >= caps.perAccount) refuse("account", caps.perAccount);
      if (open >= caps.perProcess) refuse("process", caps.perProcess);
      add(sessions, sessionId, 1);
      add(accounts, userId, 1);
      open += 1;
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        add(sessions, sessionId, -1);
        add(accounts, userId, -1);
        open -= 1;
      };
    },
    count: () => open,
  };
}

function add(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + change;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}
