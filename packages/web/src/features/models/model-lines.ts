/** @module The models of a provider as people type them: one a line, with its prices after the name where they are known. */
import type { ModelProvider } from "@fettle/contract/models";

type OfferedModel = ModelProvider["models"][number];

export function modelLines(models: readonly OfferedModel[]): string {
  return models.map(({ model, price }) => [model, ...(price ? pricesOf(price) : [])].join(" ")).join("\n");
}

/** In the order of typing; what is not said of the cache is left out, from the end. */
function pricesOf({
  inputPerMTok,
  outputPerMTok,
  cachedInputPerMTok: cached,
  cacheWritePerMTok: written,
}: NonNullable<OfferedModel["price"]>): number[] {
  const first = [inputPerMTok, outputPerMTok];
  if (written !== undefined) return [...first, cached ?? inputPerMTok, written];
  return cached === undefined ? first : [...first, cached];
}

/**
 * What was typed, or what is wrong with it.
 *
 * @example
 * readModelLines("gpt-5.4-mini 0.4 1.6\ngpt-5.4") // { models: [{ model: "gpt-5.4-mini", price: … }, { model: "gpt-5.4" }] }
 */
export function readModelLines(text: string): { models: OfferedModel[] } | { fault: string } {
  const models: OfferedModel[] = [];
  for (const line of text.split("\n")) {
    const [model, ...prices] = line.trim().split(/[\s,;]+/);
    if (!model) continue;
    const amounts = prices.map((typed) => Number(typed.replace(/^\$/, "")));
    const [input, output, cached, written] = amounts;
    const price =
      prices.length <= 4 && amounts.every(isAmount) && isAmount(input) && isAmount(output)
        ? {
            inputPerMTok: input,
            outputPerMTok: output,
            ...(cached !== undefined && { cachedInputPerMTok: cached }),
            ...(written !== undefined && { cacheWritePerMTok: written }),
          }
        : undefined;
    if (prices.length > 0 && !price) {
      return {
        fault: `After ${model}, write two to four prices in dollars, or none: for input and output, then for cached input and for writing to the cache.`,
      };
    }
    if (models.some((other) => other.model === model)) return { fault: `${model} is there twice.` };
    models.push({ model, ...(price && { price }) });
  }
  return { models };
}

function isAmount(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value >= 0;
}
