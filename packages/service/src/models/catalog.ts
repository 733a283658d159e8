/** @module The models this deployment offers to runs, judges and insights. */
import type { Model } from "@fettle/contract";

/** Needs no provider and no key: it follows rules, so the same input always gets the same answer. */
const builtIn: Model = { id: "fettle/rules-1", name: "Fettle rules 1", provider: "fettle" };

export function listModels(): Model[] {
  return [builtIn];
}
