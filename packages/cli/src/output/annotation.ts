/** @module Annotations of a workflow on GitHub: a line that the runner turns into a mark on the commit. Elsewhere nothing is printed. */
import type { ReportCase } from "@fettle/checks";
import { escapeHidden } from "@fettle/contract/formats";
import type { World } from "../world.ts";

export interface Annotation {
  level: "error" | "warning";
  title: string;
  message: string;
  file?: string | undefined;
  line?: number | undefined;
}

/** GitHub shows ten of each level for a step. */
const shown = 10;

export function annotate({ env, stderr }: Pick<World, "env" | "stderr">, found: readonly Annotation[]): void {
  if (env.GITHUB_ACTIONS !== "true") return;
  for (const level of ["error", "warning"] as const) {
    for (const { title, message, file, line } of found
      .filter((each) => each.level === level)
      .slice(0, shown)) {
      const at = line === undefined ? "" : `line=${line},`;
      const where = file === undefined ? "" : `file=${property(file)},${at}`;
      stderr.write(`::${level} ${where}title=${property(title)}::${data(message)}\n`);
    }
  }
}

/** An error for each case that failed, a warning for each that showed nothing. */
export function annotationsOf(
  cases: readonly ReportCase[],
  file: string | undefined,
  lineOf: (one: ReportCase) => number | undefined = () => undefined,
): Annotation[] {
  return cases
    .filter(({ passed }) => !passed)
    .map((one) => {
      const { id, title, skipped, error } = one;
      return {
        level: skipped === undefined ? "error" : "warning",
        title: `${title} (${id})`,
        message: skipped ?? error ?? "Failed",
        file,
        line: lineOf(one),
      };
    });
}

/** A command ends at its line, and its percent signs are escapes. */
function data(text: string): string {
  return escapeHidden(text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"));
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
