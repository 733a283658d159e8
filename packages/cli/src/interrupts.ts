/** @module Ctrl-C and its kin: the first asks a running command to finish, the second ends it at once. */
import { exitCodes } from "@fettle/contract/core";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A terminal's Ctrl-C goes to every process of the command, and launchers (ours, npm's) pass it on: within this time it is the same one. */
const sameSignalMs = 1_000;

/**
 * Resolves at the first signal to stop. From then on another one ends the process where it stands.
 * Stops hearing when `over` aborts, for work that ends by itself.
 */
export function untilInterrupted(over?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = () => {
      const now = performance.now();
      if (firstAt !== undefined && now - firstAt > sameSignalMs) process.exit(exitCodes.interrupted);
      firstAt ??= now;
      resolve();
    };
    for (const signal of signals) process.on(signal, onSignal);
    over?.addEventListener("abort", () => {
      for (const signal of signals) process.off(signal, onSignal);
    });
  });
}
