/** @module A suite as it is edited: everything its author says, as a value and as YAML, with what is wrong in it and where. */
import { z } from "zod";
import { jsonObject } from "../core/json-object.ts";
import { limits } from "../core/limits/limits.ts";
import { Timestamp } from "../core/timestamp.ts";
import { checkList, EvalCaseCreateRequest, repetitions } from "./case.ts";
import { EvalMatchOptionsInput } from "./match-options.ts";
import { fraction, nameText } from "./step.ts";
import { suiteTexts } from "./suite.ts";

const { evals } = limits;
const { name, description, systemPrompt, temperature, percent, tags, modelSource } = suiteTexts;

const settings = z.strictObject({
  minimumAccuracy: percent.optional().describe("Percent; absent: all must pass"),
  minimumIterations: repetitions.optional(),
  failOnToolError: z.boolean().optional(),
  modelSource: modelSource.optional(),
  matchOptions: EvalMatchOptionsInput.optional(),
  checks: checkList.optional(),
  judge: z
    .strictObject({ enabled: z.boolean(), model: nameText, autoRun: z.boolean(), threshold: fraction })
    .partial()
    .optional(),
});

/** What is absent is as it usually is; what a suite runs against, and when, is no part of it. */
export const EvalSuiteDocument = z
  .strictObject({
    name,
    description: description.optional(),
    tags: tags.optional(),
    model: nameText.optional(),
    provider: nameText.optional(),
    systemPrompt: systemPrompt.optional(),
    temperature: temperature.optional(),
    settings: settings.optional(),
    cases: z.array(EvalCaseCreateRequest).max(evals.casesPerSuite),
  })
  .meta({ id: "EvalSuiteDocument" });
export type EvalSuiteDocument = z.output<typeof EvalSuiteDocument>;

const path = z.array(z.union([z.string(), z.int()]));

const place = z
  .object({ path, line: z.int(), endLine: z.int() })
  .describe("Of each case, its steps and its checks");

const written = {
  text: z.string().describe("The same as YAML"),
  places: z.array(place),
};

export const EvalSuiteFinding = z
  .object({
    code: z.string(),
    path,
    pointer: z.string().describe("The path as people write it"),
    message: z.string(),
    hint: z.string(),
    line: z.int().nullable(),
    column: z.int().nullable(),
  })
  .meta({ id: "EvalSuiteFinding" });
export type EvalSuiteFinding = z.output<typeof EvalSuiteFinding>;

export const EvalSuiteEdition = z
  .object({
    revision: z.string().describe("Of what it says; a save names the one it began with"),
    updatedAt: Timestamp,
    document: EvalSuiteDocument,
    ...written,
  })
  .meta({ id: "EvalSuiteEdition" });
export type EvalSuiteEdition = z.output<typeof EvalSuiteEdition>;

/** Judged by the service, which says everything that is wrong with it: as it is typed it is often not yet right. */
const asTyped = jsonObject.describe("An EvalSuiteDocument");

export const EvalSuiteCheckRequest = z
  .strictObject({ text: z.string().optional(), document: asTyped.optional() })
  .refine(({ text, document }) => (text === undefined) !== (document === undefined), {
    error: "Send text or document, one of them.",
  })
  .meta({ id: "EvalSuiteCheckRequest" });

export const EvalSuiteCheck = z
  .object({
    document: EvalSuiteDocument.nullable().describe("Null while there are findings"),
    ...written,
    findings: z.array(EvalSuiteFinding),
  })
  .meta({ id: "EvalSuiteCheck" });
export type EvalSuiteCheck = z.output<typeof EvalSuiteCheck>;

export const EvalSuiteSaveRequest = z
  .strictObject({ revision: z.string().min(1), document: asTyped })
  .meta({ id: "EvalSuiteSaveRequest" });
export type EvalSuiteSaveRequest = z.output<typeof EvalSuiteSaveRequest>;
