/** @module One limiter for each key of a provider, shared by everything in a process that uses the key. */
import { createHash } from "node:crypto";
import type { ProviderSettings } from "./configuration.ts";
import { type Clock, createLimiter, type Limiter, type LimiterSettings, realClock } from "./limiter.ts";

export interface Limiters {
  /** `settings` count for a key that is met for the first time. */
  of(provider: string, key: Pick<ProviderSettings, "apiKey" | "baseUrl">, settings: LimiterSettings): Limiter;
}

/** Keys come and go with those who bring their own; above so many, those that nobody uses are forgotten. */
const rememberedKeys = 1_000;

export function createLimiters(clock: Clock = realClock): Limiters {
  const limiters = new Map<string, Limiter>();
  return {
    of(provider, { apiKey, baseUrl = "" }, settings) {
      const key = createHash("sha256")
        .update(`${provider}\n${baseUrl}\n${apiKey?.reveal() ?? ""}`)
        .digest("hex");
      const known = limiters.get(key);
      if (known) return known;
      if (limiters.size >= rememberedKeys) {
        for (const [other, limiter] of limiters) if (limiter.isIdle()) limiters.delete(other);
      }
      const made = createLimiter(settings, clock);
      limiters.set(key, made);
      return made;
    },
  };
}
