/** @module Errors that a case wants: a call that must be refused. What is expected excuses that failure and no other. */
import type { ExpectToolError } from "@fettle/contract/evals";
import { type Judgement, seen } from "../predicates/predicate.ts";
import type { ToolError, Transcript } from "../predicates/transcript.ts";
import type { Step } from "../suite/steps.ts";
import { times } from "../told.ts";

/** One wish for an error, and where it must come: absent `turn`: anywhere in the case. */
export interface ErrorWish {
  scorerId: string;
  expected: ExpectToolError;
  turn?: number;
}

/** A step as it is placed; `placeSteps` makes them. */
interface Placed {
  step: Step;
  turn: number;
}

export function errorWishesOf(
  { expectToolError }: { expectToolError?: ExpectToolError | undefined },
  placed: readonly Placed[],
): ErrorWish[] {
  return [
    ...(expectToolError === undefined ? [] : [{ scorerId: "expect-tool-error", expected: expectToolError }]),
    ...placed.flatMap(({ step, turn }) =>
      (step.kind === "prompt" || step.kind === "toolCall") && step.expectToolError !== undefined
        ? [{ scorerId: `expect-tool-error:${step.id}`, expected: step.expectToolError, turn }]
        : [],
    ),
  ];
}

export function wishLabel({ expected }: ErrorWish): string {
  if (expected === true) return "a tool call fails";
  const { tool, contains } = expected;
  return `${tool ?? "a tool call"} fails${contains === undefined ? "" : ` with "${contains}"`}`;
}

/** `transcript` is of the wish's turn, or whole. */
export function judgeWish({ expected }: ErrorWish, { toolErrors, toolCalls }: Transcript): Judgement {
  const found = toolErrors.find((error) => isWanted(expected, error));
  if (found) return seen(true, `${found.toolName ?? "a tool"} failed: ${found.message ?? found.kind}`);
  const tool = expected === true ? undefined : expected.tool;
  const near = toolErrors.find((error) => tool === undefined || error.toolName === tool);
  if (near) return seen(false, `${near.toolName ?? "a tool"} failed otherwise: ${near.message ?? near.kind}`);
  const calls = toolCalls.filter((call) => tool === undefined || call.toolName === tool);
  if (calls.length === 0) return seen(false, `${tool ?? "no tool"} was ${tool ? "not " : ""}called`);
  return seen(
    false,
    tool === undefined
      ? "every tool call succeeded"
      : `${tool} was called ${times(calls.length)} and did not fail`,
  );
}

/** Without the errors that were wanted, so that "no tool fails" is asked of the others alone. */
export function unexcused<Error extends ToolError & { turn?: number }>(
  errors: readonly Error[],
  wishes: readonly ErrorWish[],
): Error[] {
  if (wishes.length === 0) return [...errors];
  return errors.filter(
    (error) =>
      !wishes.some(
        ({ turn, expected }) => (turn === undefined || turn === error.turn) && isWanted(expected, error),
      ),
  );
}

function isWanted(expected: ExpectToolError, { toolName, message = "" }: ToolError): boolean {
  if (expected === true) return true;
  const { tool, contains } = expected;
  return (
    (tool === undefined || tool === toolName) &&
    (contains === undefined || message.toLowerCase().includes(contains.toLowerCase()))
  );
}
