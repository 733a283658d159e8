/** @module A string that must not be seen: it prints as `[redacted]` wherever it is printed, joined or serialised. */

const redacted = "[redacted]";

/**
 * Holds a secret. Only `reveal()` gives it back, so that each use is one word to search for.
 *
 * @example
 * const key = new Secret("sk_live_1");
 * `${key}`; // "[redacted]"
 * key.reveal(); // "sk_live_1"
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return redacted;
  }

  toJSON(): string {
    return redacted;
  }

  /** What Node's `inspect` and `console.log` call; named through the registry so that browsers may load this file. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return redacted;
  }
}
