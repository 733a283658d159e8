/** @module The service's one log: a line per event on stderr, with everything that looks like a credential taken out. */
import { redact, redactText } from "@fettle/contract/secrets";
import type { LogLevel } from "../config/option-values.ts";
import { humanLine } from "./human.ts";

export type Fields = Record<string, unknown>;

export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  /** The same log with fields that every line of it carries. */
  child(fields: Fields): Log;
}

declare module "../app.ts" {
  interface App {
    log: Log;
  }
}

export interface Line {
  time: string;
  level: LogLevel;
  message: string;
  fields: Fields;
}

const rank: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Besides the credentials known everywhere: what a service's own fields, settings and rows call theirs. */
const alsoKeys =
  /(?:password|passphrase|secret|secretkey|privatekey|apikey|token|databaseurl|connectionstring|credential)$/;

/** A value from outside may be of any length; a log line may not. */
const longestLine = 16_384;

/**
 * @example
 * const log = createLog({ level: "info", format: "json" });
 * log.child({ requestId }).info("request answered", { status: 200, durationMs: 12 });
 */
export function createLog(options: {
  level: LogLevel;
  format: "json" | "human";
  write?: (text: string) => void;
  now?: () => number;
}): Log {
  const { level: lowest, format, write = writeToStderr, now = Date.now } = options;
  const render = format === "json" ? jsonLine : humanLine;
  const logWith = (bound: Fields): Log => {
    const at =
      (level: LogLevel) =>
      (message: string, fields: Fields = {}) => {
        if (rank[level] < rank[lowest]) return;
        const line: Line = {
          time: new Date(now()).toISOString(),
          level,
          message: redactText(message),
          fields: redact({ ...bound, ...fields }, { alsoKeys }) as Fields,
        };
        write(`${shorten(render(line), line, render)}\n`);
      };
    return {
      debug: at("debug"),
      info: at("info"),
      warn: at("warn"),
      error: at("error"),
      child: (fields) => logWith({ ...bound, ...fields }),
    };
  };
  return logWith({});
}

function jsonLine({ fields, ...line }: Line): string {
  return JSON.stringify({ ...fields, ...line });
}

/** Cuts the fields, not the text, so that a JSON line stays one. */
function shorten(text: string, line: Line, render: (line: Line) => string): string {
  if (text.length <= longestLine) return text;
  return render({
    ...line,
    message: line.message.slice(0, 1_000),
    fields: { cut: JSON.stringify(line.fields).slice(0, 8_000) },
  });
}

function writeToStderr(text: string): void {
  process.stderr.write(text);
}
