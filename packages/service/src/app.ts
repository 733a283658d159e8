/** @module What one running process of the service holds; made once at start and handed to every rule function. */

/** Each part is added by the folder that owns it. */
export interface App {
  /** The clock, in epoch milliseconds; a test may turn it. */
  now(): number;
}
