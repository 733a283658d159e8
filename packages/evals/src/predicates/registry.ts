/** @module Every predicate there is. The suite file's schema, the grading and the documentation are made from this list. */
import { z } from "zod";
import { answerPredicates } from "./answer-predicates.ts";
import type { Judgement } from "./predicate.ts";
import { toolPredicates } from "./tool-predicates.ts";
import type { Transcript } from "./transcript.ts";
import { widgetPredicates } from "./widget-predicates.ts";

export const predicates = [...toolPredicates, ...answerPredicates, ...widgetPredicates] as const;

/** Mapping a tuple forgets its members; the type says which schema stands at which place. */
function schemasOf<List extends readonly { schema: z.ZodType }[]>(list: List) {
  return list.map(({ schema }) => schema) as { [Index in keyof List]: List[Index]["schema"] };
}

/** A predicate as a file or a request carries it. */
export const predicateSchema = z.discriminatedUnion("type", schemasOf(predicates));

export type Predicate = z.infer<typeof predicateSchema>;
export type PredicateType = Predicate["type"];

/** Predicates that need a browser to have looked. */
export const widgetPredicateTypes: ReadonlySet<string> = new Set(widgetPredicates.map(({ type }) => type));

/** Predicates that only a whole repetition can answer. */
export const wholeCaseTypes: ReadonlySet<string> = new Set(
  predicates.filter(({ perTurn }) => !perTurn).map(({ type }) => type),
);

const declared = new Map<string, (typeof predicates)[number]>(predicates.map((one) => [one.type, one]));

/** Judges a predicate from anywhere: what is unknown or malformed fails and never passes. Throws a JudgeLimit alone. */
export function judgePredicate(value: unknown, transcript: Transcript): Judgement {
  const parsed = predicateSchema.safeParse(value);
  if (!parsed.success) return { passed: false, reason: "this is no predicate that can be judged" };
  // The union above proved that the declaration found by type judges exactly this shape.
  const { judge } = declared.get(parsed.data.type) as {
    judge: (predicate: Predicate, transcript: Transcript) => Judgement;
  };
  return judge(parsed.data, transcript);
}
