/** @module How a predicate is declared: its fields, whether it may be asked of a single turn, and its pure judge. */
import { limits } from "@fettle/contract/core";
import { z } from "zod";
import type { GradedCall, Transcript } from "./transcript.ts";

export interface Judgement {
  passed: boolean;
  /** What was seen, for people: bounded, redacted where it is shown. */
  reason: string;
}

/** Gating ones decide; advisory ones are told. */
const weight = {
  role: z.enum(["gating", "advisory"]).optional(),
  severity: z.literal("warn").optional(),
};

type Weight = z.infer<z.ZodObject<typeof weight>>;
const isWeighed = ({ role, severity }: Weight) => severity === undefined || role === "advisory";

export interface PredicateDeclaration<Type extends string, Fields extends z.ZodRawShape> {
  type: Type;
  /** One line for people. */
  asks: string;
  schema: z.ZodObject<{ type: z.ZodLiteral<Type> } & Fields & typeof weight, z.core.$strict>;
  /** False for what only a whole repetition has: its tokens, its number of turns. */
  perTurn: boolean;
  judge(predicate: z.infer<z.ZodObject<Fields>>, transcript: Transcript): Judgement;
}

export function predicate<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  asks: string,
  fields: Fields,
  judge: (predicate: z.infer<z.ZodObject<Fields>>, transcript: Transcript) => Judgement,
  { perTurn = true } = {},
): PredicateDeclaration<Type, Fields> {
  return {
    type,
    asks,
    schema: z
      .strictObject({ type: z.literal(type), ...fields, ...weight })
      // Of a shape that is not known yet, only what every predicate has can be read.
      .refine((value) => isWeighed(value as Weight), {
        path: ["severity"],
        error: "is for an advisory check alone; add role: advisory, or leave it out",
      }),
    perTurn,
    judge,
  };
}

export const toolName = z.string().trim().min(1).max(limits.suiteFile.nameLength);
export const positive = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

export function seen(passed: boolean, reason: string): Judgement {
  return { passed, reason };
}

export function callsOf({ toolCalls }: Transcript, name: string | undefined): readonly GradedCall[] {
  return name === undefined ? toolCalls : toolCalls.filter((call) => call.toolName === name);
}
