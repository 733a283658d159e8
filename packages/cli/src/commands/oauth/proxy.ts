/** @module `fettle oauth proxy`: one guarded HTTP request, its answer as it came. */

import type { Outcome } from "../../output/printer.ts";
import { answerText } from "./answer-text.ts";
import { type ProxyCall, proxied } from "./proxied-request.ts";

export async function run(call: ProxyCall): Promise<Outcome> {
  const { shown } = await proxied(call);
  return { value: shown, human: () => answerText(shown) };
}
