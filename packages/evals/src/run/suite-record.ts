/** @module What is kept of a suite's run: each repetition, each case as it was judged, and the whole; reports are made of nothing else. */
import type { Trace } from "../agent/trace.ts";
import type { CaseFacts, IterationFacts, RunFacts } from "../gate/run-facts.ts";
import type { IterationGrade } from "../grading/grade-case.ts";
import type { CaseSummary, RunVerdict } from "../grading/verdict.ts";
import type { CassetteFacts } from "../models/cassette-facts.ts";
import type { SuiteCase } from "../suite/suite-file.ts";

/** A repetition with what happened in it; `trace` is kept of some only, so that a long run stays small. */
export interface RecordedIteration {
  facts: IterationFacts;
  /** Which model answered; absent where nobody knows. */
  model?: string;
  /** What the model did that a reader should know; it was graded all the same. */
  oddity?: string;
  /** How a recording served it, and whether one that does not hold ended it. */
  cassette?: CassetteFacts;
  stoppedByCassette?: true;
  /** It did not come to the end of its conversation: no recording of it is whole. */
  brokeOff?: true;
  /** US dollars; null when unknown. */
  costUsd: number | null;
  grade?: IterationGrade;
  trace?: Trace;
}

/** What reports are made of: a case as it was judged, wherever it was played. */
export interface JudgedCase {
  facts: CaseFacts;
  summary: CaseSummary;
  iterations: RecordedIteration[];
}

export interface RecordedCase extends JudgedCase {
  item: SuiteCase;
}

export interface JudgedRun {
  facts: RunFacts;
  verdict: RunVerdict;
  models: string[];
  /** A model that always does the same was asked once, whatever the file says. */
  repetitionsCollapsed: boolean;
  cases: JudgedCase[];
  /** What a reader must know, once each. */
  warnings: string[];
  durationMs: number;
}

export interface SuiteRecord extends JudgedRun {
  cases: RecordedCase[];
}
