/**
 * @module What a flow remembers of the steps it has taken, as plain data: put down after any of them, it is taken up again by
 * whoever holds the memory, in another process if need be. The walk stays one piece of code; steps that are remembered answer
 * as they did, and nothing is sent twice. Secret: it holds tokens, codes and the client's secret.
 */
import { must } from "@fettle/contract/formats";
import { type FlowStage, type FlowStep, type FlowStepId, flowStages } from "./flow-step.ts";

export interface FlowMemory {
  steps: RememberedStep[];
  /** Values that must not be shown. */
  secrets: string[];
}

interface RememberedStep {
  record: FlowStep;
  /** What the walk goes on with. */
  result?: unknown;
}

/** Why a flow was put down, and where it goes on. */
export interface FlowPause {
  before: FlowStepId;
  /** A person is to be sent there, and comes back with the answer. */
  authorizationUrl?: string;
}

/** Ends a walk that is not over: no failure, and no step of its own. */
export class FlowPaused extends Error {
  readonly pause: FlowPause;

  constructor(pause: FlowPause) {
    super(`The flow was put down before ${pause.before}.`);
    this.pause = pause;
  }
}

export function stageOf(step: FlowStepId): FlowStage {
  const stage = flowStages.find(({ steps }) => steps.some((own) => own === step));
  return must(stage, "a stage for each step").id;
}
