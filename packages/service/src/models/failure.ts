/** @module What a model's failure is called at the API. */
import { ApiError } from "@fettle/contract";
import { type ModelError, parseModelName } from "@fettle/evals";

/** A name that nothing here serves: 400 with what there is instead. `hosted`: the models that could be used. */
export function unknownModel(error: ModelError, model: string, hosted: string[]): ApiError {
  const isKeyMissing = error.code === "MODEL_UNAVAILABLE";
  const hint = isKeyMissing
    ? "An admin of the organization adds the provider's key under Settings, Models."
    : error.hint;
  return new ApiError("VALIDATION_ERROR", error.message, {
    code: error.code,
    model,
    provider: providerOf(model),
    hostedModels: hosted,
    ...(hint !== undefined && { hint }),
  });
}

function providerOf(model: string): string | null {
  try {
    const name = parseModelName(model);
    if (name.kind === "provider") return name.provider;
    return name.kind === "custom" ? `custom:${name.slug}` : "fettle";
  } catch {
    return /^([^/]+)\//.exec(model)?.[1] ?? null;
  }
}
