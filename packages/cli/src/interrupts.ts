/** @module Ctrl-C and its kin: the first asks a running command to finish, the second ends it at once. */
import { exitCodes } from "@fettle/contract";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Resolves at the first signal to stop. From then on another one ends the process where it stands.
 * Stops hearing when `over` aborts, for work that ends by itself.
 */
export function untilInterrupted(over?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const onSignal = () => {
      if (isStopping) process.exit(exitCodes.interrupted);
      isStopping = true;
      resolve();
    };
    for (const signal of signals) process.on(signal, onSignal);
    over?.addEventListener("abort", () => {
      for (const signal of signals) process.off(signal, onSignal);
    });
  });
}
