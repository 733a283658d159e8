/** @module What hinders a suite becomes its report: a server that is not there is never a verdict, and never silence either. */
import { type SuiteKind, type UnstartedRun, unstartedRunOf } from "@fettle/checks";
import { exitCodes } from "@fettle/contract/core";
import { CliError } from "../cli-error.ts";
import { asCliError } from "../connection/failure.ts";
import { text } from "../output/text.ts";
import type { Call } from "../program/command.ts";

export interface Subject {
  kind: SuiteKind;
  /** As people know it. */
  target: string;
  protocolVersion?: string | undefined;
}

/**
 * What the caller must mend, and what is wrong with us, is thrown on.
 *
 * @example
 * const report = await runOrOutage(call, { kind: "protocol", target }, () => suites.protocol.run(reach, {}));
 */
export async function runOrOutage<T>(
  { print }: Pick<Call, "print">,
  { kind, target, protocolVersion }: Subject,
  work: () => Promise<T>,
): Promise<T | UnstartedRun> {
  const startedAt = performance.now();
  try {
    return await work();
  } catch (error) {
    const failure = asCliError(error);
    if (!(failure instanceof CliError) || failure.exitCode === exitCodes.usage) throw failure;
    const { code, message, details, hint } = failure;
    if (hint !== undefined) print.note(text`${hint}`);
    const outage = { code, message, ...(details !== undefined && { details }) };
    return unstartedRunOf(kind, target, outage, {
      durationMs: performance.now() - startedAt,
      protocolVersion,
    });
  }
}
