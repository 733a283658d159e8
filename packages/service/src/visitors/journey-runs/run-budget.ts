/** @module What one run may spend: what was estimated when it was launched. Money is set aside before each call, so that places visited at once cannot pass it together. */
import { ModelError } from "@fettle/evals";
import type { SpendDial } from "../../models/ledger.ts";

export interface Purse {
  /** For everything of one session, with what it has come to. */
  forSession(): { dial: SpendDial; spent(): number };
}

/** What a call comes to may be more than was thought of it. */
const margin = 2;

export function createRunBudget(limitUsd: number | null, spentBefore: number): Purse {
  let spent = spentBefore;
  let held = 0;
  return {
    forSession() {
      let own = 0;
      const dial: SpendDial = {
        async reserve({ usd }) {
          const wanted = (usd ?? 0) * margin;
          if (limitUsd !== null && spent + held + wanted > limitUsd) {
            throw new ModelError(
              "MODEL_SPEND_LIMIT",
              "The run's spend would pass what was estimated for it.",
            );
          }
          held += wanted;
          return async (cost) => {
            held -= wanted;
            spent += cost;
            own += cost;
          };
        },
      };
      return { dial, spent: () => own };
    },
  };
}
