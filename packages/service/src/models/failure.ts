/** @module What a model's failure is called at the API. */
import { ApiError, type ErrorCode } from "@fettle/contract/core";
import { type ModelError, parseModelName } from "@fettle/evals";
import { asApiError } from "./budget.ts";

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

const failureCodes: Partial<Record<ModelError["code"], ErrorCode>> = {
  MODEL_TIMEOUT: "TIMEOUT",
  MODEL_RATE_LIMITED: "RATE_LIMITED",
  MODEL_REQUEST_REFUSED: "VALIDATION_ERROR",
  SERVICE_UNAVAILABLE: "UNAVAILABLE",
};

/** A model that was asked and did not answer. What the budget refuses is told as the budget tells it. */
export function modelFailure(error: ModelError): ApiError {
  const { code, message, hint, retryAfterMs } = error;
  if (code === "MODEL_SPEND_LIMIT" || code === "MODEL_PRICE_UNKNOWN") return asApiError(error);
  const details = { code, ...(hint !== undefined && { hint }) };
  const wait = retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new ApiError(failureCodes[code] ?? "SERVER_UNREACHABLE", message, details, wait);
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
