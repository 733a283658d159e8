/** @module `fettle models check`: the model catalog beside what providers themselves list. */
import { exitCodes, keysOf } from "@fettle/contract/core";
import { ModelError, missingModels, modelCatalog } from "@fettle/evals";
import { usageError } from "../../cli-error.ts";
import { openModels } from "../../eval/open-models.ts";
import type { Outcome } from "../../output/printer.ts";
import { count } from "../../output/table.ts";
import { lines, style, type Text, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { checkFlags } from "./flags.ts";

type Checked =
  | { provider: string; status: "asked"; listed: number; missing: string[] }
  | { provider: string; status: "failed"; error: { code: string; message: string; hint?: string } };

export async function run(call: Call<typeof checkFlags, NoArguments>): Promise<Outcome> {
  const { provider: wanted } = call.flags;
  using models = await openModels(call);
  const { source, configuration } = models;
  const known = new Set(modelCatalog.map(({ provider }) => provider));
  const asked = keysOf(configuration.providers).filter((id) =>
    wanted === undefined ? known.has(id) && configuration.providers[id]?.apiKey : id === wanted,
  );
  if (asked.length === 0) {
    throw usageError(`No key is set for ${wanted ?? "a provider of the catalog"}.`, {
      hint: "Set a key, such as ANTHROPIC_API_KEY, or name a file with --config.",
    });
  }
  const checked = await Promise.all(
    asked.map(async (provider): Promise<Checked> => {
      try {
        const listed = await source.listed(provider, AbortSignal.timeout(60_000));
        const missing = missingModels(provider, listed);
        return { provider, status: "asked", listed: listed.length, missing };
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        const { code, message, hint } = error;
        return { provider, status: "failed", error: { code, message, ...(hint !== undefined && { hint }) } };
      }
    }),
  );
  return {
    value: { providers: checked },
    human: () => lines(checked.flatMap(checkedText)),
    exitCode: checked.some(({ status }) => status === "failed")
      ? exitCodes.incomplete
      : checked.some((one) => one.status === "asked" && one.missing.length > 0)
        ? exitCodes.failed
        : exitCodes.ok,
  };
}

function checkedText(one: Checked): Text[] {
  const name = style.bold(one.provider);
  if (one.status === "failed")
    return [text`${style.red("✗")} ${name}: ${one.error.message} ${one.error.hint ?? ""}`];
  const lists = `lists ${count(one.listed, "model")}`;
  if (one.missing.length === 0) {
    return [text`${style.green("✓")} ${name} ${lists}, with all of the catalog's`];
  }
  return [text`${style.yellow("!")} ${name} ${lists}; missing: ${one.missing.join(", ")}`];
}
