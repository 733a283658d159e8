/**
 * @module What one running process of the service holds, handed to every rule function. It imports nothing: each owner adds its
 * part where the part's own interface stands, by `declare module`, and `start/create-app.ts` makes them all.
 */

export interface App {
  /** The clock, in epoch milliseconds; a test may turn it. */
  now(): number;
}
