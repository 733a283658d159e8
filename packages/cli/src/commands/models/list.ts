/** @module `fettle models list`: the model catalog of this release. */
import { type CatalogModel, modelCatalog } from "@fettle/evals";
import type { Outcome, View } from "../../output/printer.ts";
import { type Column, count, table } from "../../output/table.ts";
import { lines, style, type Text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { listFlags } from "./flags.ts";

export async function run({ flags }: Call<typeof listFlags, NoArguments>): Promise<Outcome> {
  const { provider: wanted } = flags;
  const models = modelCatalog.filter(({ provider }) => wanted === undefined || provider === wanted);
  return {
    value: { models: models.map((model) => ({ model: `${model.provider}/${model.id}`, ...model })) },
    human: (view) => modelsText(models, view),
  };
}

const columns: readonly Column[] = [
  { header: "MODEL" },
  { header: "CONTEXT", align: "right" },
  { header: "MAX OUTPUT", align: "right" },
  { header: "$ IN", align: "right" },
  { header: "$ OUT", align: "right" },
  { header: "REFUSES", shrinks: true },
  { header: "OTHER NAMES", shrinks: true },
];

function modelsText(models: readonly CatalogModel[], { width }: View): Text {
  if (models.length === 0)
    return lines([
      "The catalog has no models of this provider. Use their names as the provider writes them.",
    ]);
  const rows = models.map(({ provider, id, aliases, contextTokens, maxOutputTokens, refuses, price }) => [
    style.bold(`${provider}/${id}`),
    tokens(contextTokens),
    tokens(maxOutputTokens),
    price?.inputPerMTok ?? "?",
    price?.outputPerMTok ?? "?",
    refuses.join(", "),
    aliases.join(", "),
  ]);
  return lines([table(columns, rows, width), "", count(models.length, "model")]);
}

function tokens(number: number | undefined): string {
  return number === undefined ? "?" : number.toLocaleString("en-US");
}
