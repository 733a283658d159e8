/** @module What the rest of the service logs through. */

export type Fields = Record<string, unknown>;

export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  /** The same log with fields that every line of it carries. */
  child(fields: Fields): Log;
}
