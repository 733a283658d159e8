/** @module What a conformance suite reports: groups of cases, the profile it was judged by, and advice. */
import { z } from "zod";
import { limits } from "../../core/limits/limits.ts";
import { conformanceSuites, ruleWords } from "./words.ts";

const { cases, groups, warnings, wordLength, titleLength, nameLength, addressLength, textLength } =
  limits.conformance;
const word = z
  .string()
  .min(1)
  .max(wordLength)
  .regex(/^[^\0]*$/, "The zero character is not allowed.");
const text = z.string().max(textLength);
const duration = z.number().min(0);
/** How some reporters write that there is none. */
const absent = z.null().transform(() => undefined);

export const ConformanceCase = z
  .looseObject({
    id: word,
    title: z.string().max(titleLength),
    category: z.string().max(wordLength),
    status: z.enum(["passed", "failed", "skipped"]),
    skipReason: z.enum(["not-applicable", "could-not-run"]).optional(),
    pending: z
      .boolean()
      .optional()
      .describe("As the reporter saw it; the service goes by the profile's stamp"),
    rule: z
      .looseObject({
        word: z.enum(ruleWords).describe("How strongly it is said; only MUST and schema decide a run"),
        title: z.string().max(titleLength),
        url: z.string().max(addressLength).describe("The sentence's address"),
        revision: z.string().max(wordLength).describe("The edition of the document that says it"),
      })
      .optional()
      .describe("What the check goes by; of a failed one the rule that was broken"),
    warnings: z
      .array(z.looseObject({ word: z.enum(ruleWords), message: text }))
      .max(warnings)
      .optional()
      .describe("Broken rules that do not decide: advice, each with its word"),
    durationMs: duration,
    description: text.optional(),
    error: z
      .union([z.looseObject({ message: text }), text.transform((message) => ({ message })), absent])
      .optional()
      .describe("What went wrong; kept as `{message}`"),
    details: z.unknown().optional().describe("Evidence, such as what was on the wire"),
  })
  .meta({ id: "ConformanceCase" });
export type ConformanceCase = z.output<typeof ConformanceCase>;

const ProfileStamp = z
  .looseObject({
    profileId: word,
    profileVersion: word,
    protocolVersion: word.optional(),
    pendingCheckIds: z.array(word).max(cases).default([]),
  })
  .describe("Which checks count: the service scores by it, and counts every check where there is none");

export const ConformanceSuiteReport = z
  .looseObject({
    schemaVersion: z.literal(1),
    kind: z.enum(conformanceSuites.map((kind) => `${kind}-conformance` as const)),
    name: z.string().max(nameLength),
    passed: z.boolean(),
    outcome: z.enum(["passed", "failed", "incomplete", "not-applicable"]).optional(),
    incompleteReason: text.optional(),
    score: z
      .looseObject({ protocolVersion: word.optional() })
      .optional()
      .describe("As the reporter counted; the service counts again, and takes the revision alone from here"),
    profile: ProfileStamp.optional(),
    durationMs: duration,
    groups: z
      .array(
        z.looseObject({
          id: word,
          title: z.string().max(titleLength),
          target: z.string().max(addressLength),
          passed: z.boolean(),
          durationMs: duration,
          summary: text.optional(),
          cases: z.array(ConformanceCase).max(cases),
        }),
      )
      .max(groups),
    advisories: z
      .array(
        z.looseObject({
          id: word,
          tier: z.enum(["should", "may"]).optional(),
          word: z.enum(ruleWords).optional(),
          message: text.optional(),
        }),
      )
      .max(cases)
      .optional(),
  })
  .meta({ id: "ConformanceSuiteReport" });
export type ConformanceSuiteReport = z.output<typeof ConformanceSuiteReport>;
