/** @module Grades finished sessions: the rubric by its predicates, the goal by rules or by a model. What breaks is a failed grading, never a failed session. */
import { limits } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type { GoalGrade, SessionGrading } from "@fettle/contract/visitors";
import { gradeRubric, type Model, type Trace } from "@fettle/evals";
import { recordedAs } from "../../evals/runs/judge/evidence.ts";
import { toJudgeFailure } from "../../evals/runs/judge/failure.ts";
import { grade } from "../../evals/runs/judge/grade.ts";
import { createRulesJudge } from "../../evals/runs/judge/rules-judge.ts";
import { answeredIn } from "./answered.ts";
import type { FrozenJourney } from "./frozen.ts";

interface Grades {
  grading: SessionGrading | null;
  goal: GoalGrade | null;
}

/** Written with the end of a session: from then on it is owed a grade, whoever gives it. */
export function claimGrading({ rubric, judge }: FrozenJourney): Grades {
  return {
    grading: rubric.length === 0 ? null : { status: "pending", generation: 1, criteria: [] },
    goal:
      judge === null
        ? null
        : {
            status: "pending",
            score: null,
            passed: null,
            threshold: judge.threshold,
            reason: null,
            error: null,
          },
  };
}

/** The claim, completed. */
export async function gradeSession(
  frozen: FrozenJourney,
  claimed: Grades,
  trace: Trace,
  openJudge: (name: string) => Promise<Model>,
  signal: AbortSignal,
): Promise<Grades> {
  const { grading, goal } = claimed;
  return {
    grading: grading && gradedRubric(frozen, grading, trace),
    goal: goal && (await gradedGoal(frozen, goal, trace, openJudge, signal)),
  };
}

function gradedRubric({ rubric }: FrozenJourney, claimed: SessionGrading, trace: Trace): SessionGrading {
  try {
    return { ...claimed, status: "completed", criteria: gradeRubric(rubric, trace) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...claimed, status: "failed", error: message.slice(0, limits.evals.judge.reasonLength) };
  }
}

async function gradedGoal(
  { goal, judge, persona }: FrozenJourney,
  claimed: GoalGrade,
  trace: Trace,
  openJudge: (name: string) => Promise<Model>,
  signal: AbortSignal,
): Promise<GoalGrade> {
  try {
    const requests = trace.messages.flatMap((one) => (one.role === "user" ? [one.text] : []));
    const evidence = recordedAs({
      title: persona.name,
      requests,
      expected: goal,
      expectedOutput: goal,
      trace,
    });
    const given = judge?.model
      ? await grade(await openJudge(judge.model), "goalCompletion", evidence, signal)
      : must(
          createRulesJudge([goal])({ ...evidence, finalText: answeredIn(trace) }, trace),
          "a grade of the one criterion",
        );
    const { score, reason } = given;
    return { ...claimed, status: "completed", score, passed: score >= claimed.threshold, reason };
  } catch (error) {
    const failure = signal.aborted ? undefined : toJudgeFailure(error);
    // Whoever comes next grades it: it still pends.
    if (!failure) throw error;
    return { ...claimed, status: "failed", error: failure.message };
  }
}
