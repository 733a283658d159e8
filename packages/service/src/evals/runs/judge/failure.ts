/** @module Why a judge graded nothing. */
import { ApiError } from "@fettle/contract/core";
import type { JudgeErrorCode } from "@fettle/contract/evals";
import { ModelError } from "@fettle/evals";

export class JudgeFailure extends Error {
  readonly code: JudgeErrorCode;

  constructor(code: JudgeErrorCode, message: string) {
    super(message);
    this.name = "JudgeFailure";
    this.code = code;
  }
}

/** Undefined for what is our own fault, and may go better the next time. */
export function toJudgeFailure(error: unknown): JudgeFailure | undefined {
  if (error instanceof JudgeFailure) return error;
  if (error instanceof ModelError) {
    const code = error.code === "MODEL_SPEND_LIMIT" ? "judge_budget_exhausted" : "judge_model_failed";
    return new JudgeFailure(error.code === "MODEL_TIMEOUT" ? "judge_deadline_exceeded" : code, error.message);
  }
  return error instanceof ApiError ? new JudgeFailure("judge_model_failed", error.message) : undefined;
}
