/** @module `fettle oauth proxy`: one guarded HTTP request, its answer as it came. */
import { answerText } from "../../oauth/answer-text.ts";
import { type ProxyCall, proxied } from "../../oauth/proxied-request.ts";
import type { Outcome } from "../../output/printer.ts";

export async function run(call: ProxyCall): Promise<Outcome> {
  const { shown } = await proxied(call);
  return { value: shown, human: () => answerText(shown) };
}
