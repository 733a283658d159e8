/** @module Scorers, what names them, and the rows they leave. A row joins its definition by digest, so that a changed scorer is never mistaken for a changed server. */
import type { ScoreDefinition, ScoreRow } from "@fettle/contract/evals";
import { canonicalJson } from "@fettle/contract/formats";
import { redactText } from "@fettle/contract/secrets";
import { digestOf } from "../digest.ts";

export type { ScoreDefinition, ScoreRow } from "@fettle/contract/evals";

export function definition(
  fields: Pick<ScoreDefinition, "scorerId" | "idSource" | "label"> & {
    implementation: unknown;
    role?: "gating" | "advisory" | undefined;
  },
): ScoreDefinition {
  const role = fields.role ?? "gating";
  const onFault = role === "gating" ? "fail" : "ignore";
  return {
    scorerId: fields.scorerId,
    idSource: fields.idSource,
    scorerVersion: 1,
    implementationHash: digestOf(fields.implementation),
    deterministic: true,
    passThreshold: 1,
    role,
    onError: onFault,
    onSkipped: onFault,
    label: fields.label,
  };
}

const hashes = new WeakMap<ScoreDefinition, string>();

export function definitionHash(definition: ScoreDefinition): string {
  const { label: _label, ...payload } = definition;
  const hash = hashes.get(definition) ?? digestOf(payload);
  hashes.set(definition, hash);
  return hash;
}

/** Of all the scorers of a case, whatever their order. */
export function evaluationConfigHash(definitions: readonly ScoreDefinition[]): string {
  return digestOf(definitions.map(({ label: _label, ...payload }) => canonicalJson(payload)).sort());
}

const rationaleLength = 600;

/** A row of a scorer that came to a value. What is no share of one is an error, never clamped. */
export function scored(of: ScoreDefinition, value: number, rationale: string): ScoreRow {
  if (!Number.isFinite(value) || value < 0 || value > 1) {
    return { ...rowOf(of), status: "error", error: "The scorer gave no number from 0 to 1." };
  }
  return {
    ...rowOf(of),
    status: "scored",
    value,
    passed: value >= of.passThreshold,
    rationale: tidy(rationale),
  };
}

export function unscored(of: ScoreDefinition, status: "skipped" | "error", why: string): ScoreRow {
  return { ...rowOf(of), status, ...(status === "error" ? { error: tidy(why) } : { rationale: tidy(why) }) };
}

function rowOf(of: ScoreDefinition) {
  const { scorerId, scorerVersion, passThreshold, deterministic } = of;
  return { scorerId, scorerVersion, definitionHash: definitionHash(of), passThreshold, deterministic };
}

/** Secrets first, then the cut, then secrets again: cutting first could leave half of one. */
function tidy(text: string): string {
  const clean = redactText(text);
  return redactText(clean.length > rationaleLength ? `${clean.slice(0, rationaleLength - 1)}…` : clean);
}

export type ScoreIntegrity = "valid" | "invalid";

/** Whether rows and definitions belong together, so that a gate may believe them. */
export function integrityOf(
  definitions: readonly ScoreDefinition[],
  rows: readonly ScoreRow[],
): ScoreIntegrity {
  const byHash = new Map(definitions.map((one) => [definitionHash(one), one]));
  const ids = new Set(rows.map(({ scorerId }) => scorerId));
  const holds =
    ids.size === rows.length &&
    new Set(definitions.map(({ scorerId }) => scorerId)).size === definitions.length &&
    rows.every((row) => {
      const of = byHash.get(row.definitionHash);
      if (!of || of.scorerId !== row.scorerId) return false;
      if (row.status !== "scored") return row.passed === undefined;
      const { value } = row;
      if (value === undefined || !(value >= 0 && value <= 1)) return false;
      return row.passThreshold === of.passThreshold && row.passed === value >= of.passThreshold;
    }) &&
    definitions.every(({ role, scorerId }) => role !== "gating" || ids.has(scorerId));
  return holds ? "valid" : "invalid";
}

/** Gating rows decide; a gating scorer without a row fails, and so does a row of no scorer. */
export function verdictOf(
  definitions: readonly ScoreDefinition[],
  rows: readonly ScoreRow[],
): "passed" | "failed" {
  const missing = definitions.some(
    ({ role, scorerId }) => role === "gating" && !rows.some((row) => row.scorerId === scorerId),
  );
  return missing || failingRows(definitions, rows).length > 0 ? "failed" : "passed";
}

/** The rows that fail a case: what did not hold, and what could not be looked at where that was asked for. */
export function failingRows(definitions: readonly ScoreDefinition[], rows: readonly ScoreRow[]): ScoreRow[] {
  const byHash = new Map(definitions.map((one) => [definitionHash(one), one]));
  return rows.filter((row) => {
    const of = byHash.get(row.definitionHash);
    if (!of) return true;
    if (of.role === "advisory" || row.status === "not_applicable") return false;
    if (row.status === "error") return of.onError === "fail";
    if (row.status === "skipped") return of.onSkipped === "fail";
    return row.passed !== true;
  });
}
