/** @module `--match-options`: how expected calls are matched, in the words of the API. */
import type { MatchOptions } from "@fettle/evals";
import { usageError } from "../cli-error.ts";

const orders = ["any", "in-order", "exact"];
const modes = ["partial", "exact", "ignore"];

export function readMatchOptions(given: Record<string, unknown>): Partial<MatchOptions> {
  for (const [key, value] of Object.entries(given)) {
    const allowed =
      key === "toolCallOrder"
        ? orders.includes(String(value))
        : key === "arguments"
          ? modes.includes(String(value))
          : key === "extraToolCalls" &&
            (value === "unlimited" || (Number.isInteger(value) && Number(value) >= 0));
    if (!allowed) {
      throw usageError(`--match-options does not take ${key}: ${JSON.stringify(value)}.`, {
        hint: `toolCallOrder is ${orders.join(", ")}; arguments is ${modes.join(", ")}; extraToolCalls is "unlimited" or a number.`,
      });
    }
  }
  // Each key and value was compared with the type's own.
  return given;
}
