/** @module `fettle cloud clients templates`: what a client can be made from, told without asking anybody. */
import type { Outcome } from "../../output/printer.ts";
import { table } from "../../output/table.ts";
import { style } from "../../output/text.ts";

export async function run(): Promise<Outcome> {
  const { loadTemplates } = await import("@fettle/mcp");
  const items = (await loadTemplates()).map(({ id, label }) => ({ id, label }));
  return {
    value: { items },
    human: ({ width }) =>
      table(
        [{ header: "ID" }, { header: "HOST" }],
        items.map(({ id, label }) => [id, style.bold(label)]),
        width,
      ),
    hint: style.cyan("fettle cloud clients create --name Claude --template claude"),
  };
}
