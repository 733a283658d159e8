/** @module What a case asked for and did not get, as places and kinds; the values stay behind. Pure. */
import { fieldsOf } from "../observed/fields.ts";
import type { Surface } from "../observed/surface.ts";
import type { Unit } from "../observed/unit.ts";
import type { ExpectationFacts } from "./unit-facts.ts";

const mostListed = 20;

export function expectationFacts(unit: Unit, surface: Surface): ExpectationFacts | null {
  const { expectation } = unit;
  if (!expectation) return null;
  const chosen = unit.calls.filter(({ isPinned }) => isPinned !== true);
  const forbidden = expectation.failedPredicates.flatMap(({ type, toolName }) =>
    type === "toolNeverCalled" && toolName !== undefined ? [toolName] : [],
  );
  const inVain = expectation.isNegative ? chosen.map(({ toolName }) => toolName) : [];
  const expectedTools = unique(expectation.turns.flatMap(({ expected }) => expected));
  return {
    isNegative: expectation.isNegative,
    expectedCalls: expectation.turns.reduce((sum, { expected }) => sum + expected.length, 0),
    expectedTools,
    unknownTools: unique(
      [...expectation.namedTools, ...expectedTools].filter((name) => !surface.hasTool(name)),
    ),
    isContradictory: expectation.lints.includes("contradictory_checks"),
    forbiddenTools: unique([...forbidden, ...inVain]),
    wrong: expectation.turns.flatMap(({ turn, expected, missing }) => {
      const instead = chosen.find(
        (call) => call.turn === turn && call.serverId !== null && !expected.includes(call.toolName),
      );
      const meant = missing.find((name) => surface.hasTool(name));
      return meant !== undefined && instead ? [{ expected: meant, called: instead.toolName, turn }] : [];
    }),
    mismatches: expectation.turns
      .flatMap(({ mismatches }) =>
        mismatches.flatMap(({ toolName, expectedArgs, actualArgs }) =>
          differences(expectedArgs, actualArgs).map((found) => ({ toolName, ...found })),
        ),
      )
      .slice(0, mostListed),
  };
}

const unique = (names: readonly string[]) => [...new Set(names)].sort().slice(0, mostListed);

/** Where what was expected is not what was sent. */
function differences(
  expected: unknown,
  actual: unknown,
  path = "",
): { path: string; isFormatOnly: boolean }[] {
  const isBoth = [expected, actual].every(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  );
  if (isBoth) {
    return Object.entries(fieldsOf(expected)).flatMap(([key, value]) =>
      differences(value, fieldsOf(actual)[key], path === "" ? key : `${path}.${key}`),
    );
  }
  if (JSON.stringify(expected) === JSON.stringify(actual)) return [];
  return [{ path, isFormatOnly: actual !== undefined && written(expected) === written(actual) }];
}

/** Without what is only a way of writing: case, spacing, a number as text, another form of a date. */
function written(value: unknown): string {
  if (Array.isArray(value)) return value.map(written).join("\n");
  const text = String(value).trim().toLowerCase();
  if (text !== "" && Number.isFinite(Number(text))) return String(Number(text));
  const isDate = /\d{4}/.test(text) && /^[\d\s,./:tz+-]*(?:[a-z]{3,9}[\d\s,./:tz+-]*)?$/.test(text);
  const moment = isDate ? Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text) : Number.NaN;
  return Number.isNaN(moment) ? text.replace(/\s+/g, "") : `date ${moment}`;
}
