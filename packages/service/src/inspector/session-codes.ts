/** @module Codes that open a page: each is used once, soon after it was made, and cannot be guessed by trying. */
import { randomBytes } from "node:crypto";
import { ApiError } from "@fettle/contract/core";
import { inspectorLimits } from "@fettle/contract/inspector";

export interface SessionCodes {
  make(): string;
  /** Throws for one that is wrong, used or too old. */
  use(code: string): void;
}

export function createSessionCodes(now: () => number = Date.now): SessionCodes {
  const codes = new Map<string, number>();
  let failures: number[] = [];
  return {
    make() {
      for (const [code, at] of codes) if (now() - at > inspectorLimits.codeMs) codes.delete(code);
      const code = randomBytes(24).toString("base64url");
      codes.set(code, now());
      return code;
    },
    use(code) {
      failures = failures.filter((at) => now() - at < 60_000);
      if (failures.length >= inspectorLimits.codeTriesAMinute) {
        throw new ApiError("RATE_LIMITED", "Too many codes were tried. Wait a minute.", {}, 60);
      }
      const madeAt = codes.get(code);
      codes.delete(code);
      if (madeAt !== undefined && now() - madeAt <= inspectorLimits.codeMs) return;
      failures.push(now());
      throw new ApiError("UNAUTHORIZED", "This code was used already, or is too old.", {
        reason: "inspector_code",
        hint: "`fettle inspector open` makes a new one.",
      });
    },
  };
}
