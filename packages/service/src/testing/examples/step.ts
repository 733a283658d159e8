/** @module A call of an example as it is written down: by its operation, with `$NAME` for what an earlier call gave. */
import type { OperationId } from "@fettle/contract/operations";

/** One call, and the field of its answer that later calls go on with. */
export interface Step {
  operation: OperationId;
  /** The variable that takes the first value of `field` in the answer. */
  set?: string;
  field?: string;
  /** Of a list: the item of this name, where there is one, instead of the first. */
  called?: string;
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

export interface Recipe {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** Makes what the call is made on, so that it can be made again and leaves alone what others use. */
  first?: readonly Step[];
  /** Only in time: what it cancels goes on by itself and may have ended. */
  races?: true;
  /** What the service needs beyond itself, in words. */
  needs?: string;
}

/** What operations need beyond the parameters of their paths; nothing, where one is not named. */
export type Recipes = Partial<Record<OperationId, Recipe>>;
