/** @module What the models refuse, as errors of the command line. */
import { exitCodes } from "@fettle/contract/core";
import { ModelError } from "@fettle/evals";
import { CliError } from "../cli-error.ts";

/** A model that cannot be had, or a policy that makes no sense, is a mistake of whoever asked; no run was begun. */
export async function asUsage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    throw new CliError(error.code, error.message, {
      ...(error.hint !== undefined && { hint: error.hint }),
      exitCode: exitCodes.usage,
      cause: error,
    });
  }
}
