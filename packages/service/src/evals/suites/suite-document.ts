/** @module A suite as it is edited: its rows as one value, that value as YAML and back, and everything that is wrong with either. */
import { limits } from "@fettle/contract/core";
import { type EvalSuiteCheck, EvalSuiteDocument, type EvalSuiteFinding } from "@fettle/contract/evals";
import {
  arranged,
  digestOf,
  faultsOf,
  inDocumentOrder,
  type Path,
  pointerOf,
  predicateSchema,
  type Reading,
  readDocument,
  stepSchema,
  writeYaml,
} from "@fettle/evals";
import type { z } from "zod";
import type { CaseRow } from "./case-store.ts";
import { hintOf } from "./finding-hints.ts";
import { readCase } from "./read-case.ts";
import type { SuiteRow } from "./store.ts";
import { usualSettings } from "./suite-view.ts";

/** What its author said; what is as usual is left out. */
export function documentOf(suite: SuiteRow, rows: readonly CaseRow[]): EvalSuiteDocument {
  const { name, description, tags, model, provider, systemPrompt, temperature } = suite;
  const { minimumAccuracy, minimumIterations, matchOptions, checks, judge, failOnToolError, modelSource } =
    suite.settings;
  const isUsualJudge = digestOf(judge) === digestOf(usualSettings.judge);
  const settings = told({
    minimumAccuracy,
    minimumIterations,
    matchOptions,
    ...(modelSource !== undefined && { modelSource }),
    ...(failOnToolError !== usualSettings.failOnToolError && { failOnToolError }),
    ...(checks.length > 0 && { checks }),
    ...(!isUsualJudge && { judge: told(judge) }),
  });
  return {
    name,
    ...told({ description, model, provider, systemPrompt, temperature }),
    ...(tags.length > 0 && { tags }),
    ...(Object.keys(settings).length > 0 && { settings }),
    cases: rows.map(({ declaredId, title, disabled, definition }) => {
      const { iterations, isNegative, models, ...said } = definition;
      return {
        id: declaredId,
        title,
        ...said,
        ...(disabled && { disabled }),
        ...(iterations !== 1 && { iterations }),
        ...(isNegative && { isNegative }),
        ...(models.length > 0 && { models }),
      };
    }),
  };
}

type Told<Fields> = { [Key in keyof Fields]?: NonNullable<Fields[Key]> };

/** Without what is not set. */
function told<Fields extends object>(fields: Fields): Told<Fields> {
  // Filtering keeps every field's own type and loses the record's.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Told<Fields>;
}

const order = {
  suite: [
    "name",
    "description",
    "tags",
    "model",
    "provider",
    "systemPrompt",
    "temperature",
    "settings",
    "cases",
  ],
  case: [
    "id",
    "title",
    "intent",
    "disabled",
    "models",
    "iterations",
    "isNegative",
    "expectToolError",
    "scenario",
    "continueOnFail",
    "expectedOutput",
    "matchOptions",
    "steps",
    "checks",
    "advancedConfig",
    "import",
  ],
  step: ["id", "kind"],
} as const;

type Fields = Record<string, unknown>;

/** Also of a value that is no suite yet: what a form holds is written as far as it is known. */
export function textOf(document: Fields): string {
  return writeYaml({
    ...arranged(document, order.suite),
    ...(Array.isArray(document.cases) && {
      cases: document.cases.map((item) =>
        inOrder(item, order.case, ({ steps }) => ({
          ...(Array.isArray(steps) && { steps: steps.map((step) => inOrder(step, order.step)) }),
        })),
      ),
    }),
  });
}

function inOrder(value: unknown, keys: readonly string[], more: (fields: Fields) => Fields = () => ({})) {
  return isFields(value) ? arranged({ ...value, ...more(value) }, keys) : value;
}

export function checkText(text: string): EvalSuiteCheck {
  return check(text, readDocument(Buffer.from(text)));
}

export function checkDocument(document: Fields): EvalSuiteCheck {
  return checkText(textOf(document));
}

/** Where everything stands that a form shows apart. */
export function writtenOf(document: EvalSuiteDocument): Pick<EvalSuiteCheck, "text" | "places"> {
  const { text, places } = checkDocument(document);
  return { text, places };
}

function check(text: string, reading: Reading): EvalSuiteCheck {
  if (!reading.ok) {
    const findings = reading.faults.map((fault) => findingOf(fault, fault.location));
    return { document: null, text, places: [], findings: listed(findings) };
  }
  const { value } = reading;
  const faults = faultsIn(value);
  const findings = faults.map((fault) => findingOf(fault, reading.locate(fault.path)));
  return {
    // Nothing is wrong with it, so it is one.
    document: findings.length === 0 ? (value as EvalSuiteDocument) : null,
    text,
    places: placesIn(value, reading),
    findings: listed(findings),
  };
}

interface Fault {
  code: string;
  path: Path;
  message: string;
}

function findingOf(
  { code, path, message }: Fault,
  at: { line: number; column: number } | undefined,
): EvalSuiteFinding {
  return {
    code,
    path: [...path],
    pointer: pointerOf(path),
    message,
    hint: hintOf(code, path),
    line: at?.line ?? null,
    column: at?.column ?? null,
  };
}

function listed(findings: EvalSuiteFinding[]): EvalSuiteFinding[] {
  const place = ({ line, column, ...rest }: EvalSuiteFinding) => ({
    ...rest,
    location: { line: line ?? 0, column: column ?? 0 },
  });
  return findings
    .toSorted((one, other) => inDocumentOrder(place(one), place(other)))
    .slice(0, limits.suiteFile.maxFindings);
}

/** Everything that keeps a value from being a suite. */
export function faultsIn(value: unknown): Fault[] {
  if (!isFields(value)) {
    return [{ code: "SUITE_FILE_INVALID", path: [], message: "A suite is a mapping of fields." }];
  }
  const cases = Array.isArray(value.cases) ? value.cases : [];
  const told = issuesOf(EvalSuiteDocument, value, []);
  const misshapen = new Set(told.flatMap(({ path }) => (path[0] === "cases" ? [path[1]] : [])));
  return [
    ...told,
    ...assertionFaults(predicateSchema, fieldsOf(value.settings).checks, ["settings", "checks"]),
    ...cases.flatMap((item: unknown, index) =>
      caseFaults(item, ["cases", index], misshapen.has(index) || misshapen.has(undefined)),
    ),
    ...repeatedIds(cases),
  ];
}

/** Looked into piece by piece only when something is wrong: most cases of a large suite are as they should be. */
function caseFaults(item: unknown, at: Path, isMisshapen: boolean): Fault[] {
  const reading = isMisshapen ? undefined : readCase(item);
  if (reading?.ok) return [];
  const { steps, checks } = fieldsOf(item);
  const asserted = [
    ...assertionFaults(stepSchema, steps, [...at, "steps"]),
    ...assertionFaults(predicateSchema, fieldsOf(checks).list, [...at, "checks", "list"]),
  ];
  if (asserted.length > 0 || !reading) return asserted;
  const { code, rule, message, path } = reading.fault;
  return [{ code: rule ?? code, message, path: [...at, ...path.split(".").filter(Boolean).map(part)] }];
}

const part = (text: string) => (/^\d+$/.test(text) ? Number(text) : text);

/** What the contract leaves open: what each assertion asks. The shapes around it are told of by the contract. */
function assertionFaults(schema: z.ZodType, list: unknown, at: Path): Fault[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown, index) => {
    const isStep = schema === stepSchema;
    if (isStep ? fieldsOf(item).kind !== "assert" : !isFields(item)) return [];
    return issuesOf(schema, item, [...at, index]).filter(({ path }) =>
      isStep ? path[at.length + 1] === "assertion" : true,
    );
  });
}

function issuesOf(schema: z.ZodType, value: unknown, at: Path): Fault[] {
  const parsed = schema.safeParse(value);
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue) =>
    faultsOf(issue, value).map(({ code, path, message }) => ({ code, message, path: [...at, ...path] })),
  );
}

function repeatedIds(cases: readonly unknown[]): Fault[] {
  const seen = new Set<unknown>();
  return cases.flatMap((item, index) => {
    const { id } = fieldsOf(item);
    if (id === undefined || !seen.has(id)) {
      seen.add(id);
      return [];
    }
    const message = `Another case has the id ${String(id)}.`;
    return [{ code: "DUPLICATE_CASE_ID", path: ["cases", index, "id"], message }];
  });
}

/** Parts of a case that a form may have to show as they are written. */
const shownApart = ["models", "advancedConfig", "import"];

function placesIn(value: unknown, reading: Reading & { ok: true }): EvalSuiteCheck["places"] {
  const cases = isFields(value) && Array.isArray(value.cases) ? value.cases : [];
  const paths = cases.flatMap((item: unknown, index): Path[] => {
    const { steps, checks, ...rest } = fieldsOf(item);
    const at: Path = ["cases", index];
    const entries = (list: unknown, below: Path) =>
      Array.isArray(list) ? list.map((_, place): Path => [...at, ...below, place]) : [];
    return [
      at,
      ...entries(steps, ["steps"]),
      ...entries(fieldsOf(checks).list, ["checks", "list"]),
      ...shownApart.filter((key) => key in rest).map((key): Path => [...at, key]),
    ];
  });
  return paths.flatMap((path) => {
    const extent = reading.extent(path);
    return extent ? [{ path: [...path], ...extent }] : [];
  });
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}
