/** @module Findings of a suite file for eyes: where, and what. */
import type { SuiteFinding, SuiteWarning } from "@fettle/evals";
import { lines, style, type Text, text } from "../output/text.ts";

export function findingsText(file: string, findings: readonly SuiteFinding[]): Text {
  return lines(
    findings.map(({ pointer, message, location, code }) => {
      const where = location ? `${file}:${location.line}:${location.column}` : file;
      return text`${style.red("✗")} ${style.dim(where)} ${pointer === "" ? "" : text`${style.bold(pointer)} `}${message} ${style.dim(code)}`;
    }),
  );
}

export function warningsText(warnings: readonly SuiteWarning[]): Text {
  return lines(
    warnings.map(
      ({ pointer, message, code }) =>
        text`${style.yellow("!")} ${style.bold(pointer)} ${message} ${style.dim(code)}`,
    ),
  );
}
