/** @module Fixtures that the operator named and the server does not have. */
import type { Fixtures } from "./fixtures.ts";
import { namesOf, type SeenList } from "./lists/observe.ts";
import type { ProtocolLook } from "./run-context.ts";

/** What the operator named and the server does not list, most often a slip of the pen; a list that could not be read tells nothing. */
export async function unlistedFixtures(
  { toolCalls, promptGets }: Fixtures,
  look: ProtocolLook,
): Promise<string[]> {
  const missing = async (kind: "tool" | "prompt", named: readonly string[]) => {
    if (named.length === 0) return [];
    const list: SeenList | undefined = await look(`${kind}s`).catch(() => undefined);
    if (!list || (list.isAdvertised && !list.isComplete)) return [];
    const listed = namesOf(list);
    return [...new Set(named)]
      .filter((name) => !listed.includes(name))
      .map((name) => `The server lists no ${kind} "${name}", which was named as a fixture.`);
  };
  return [
    ...(await missing(
      "tool",
      toolCalls.map(({ toolName }) => toolName),
    )),
    ...(await missing(
      "prompt",
      promptGets.map(({ promptName }) => promptName),
    )),
  ];
}
