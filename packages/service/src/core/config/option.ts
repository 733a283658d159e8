/** @module How an option is said. */

/** One thing that may be set. `help` is required, so an option without a text does not compile. */
export interface Option<Value> {
  help: string;
  /** As the command line shows it: `--port <number>`. Its camel-case name is the option's key in `options`. */
  flag?: `--${string}`;
  env?: string;
  /** Shown in help and documents when the default is worked out from something else. */
  defaultText?: string;
  default: Value;
  /** Throws an Error whose message completes "<name> must …". */
  parse(text: string): Value;
}

export function option<Value>(declaration: Option<Value>): Option<Value> {
  return declaration;
}
