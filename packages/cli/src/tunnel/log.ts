/** @module What a tunnel says on stderr while it runs. */
import type { McpError } from "@fettle/mcp";
import type { Printer } from "../output/printer.ts";
import { style, text } from "../output/text.ts";
import type { TunnelNews } from "./keep-open.ts";
import type { ServedRequest } from "./relay-socket.ts";

export interface TunnelLog {
  news(news: TunnelNews): void;
  served(served: ServedRequest): void;
  onStderr(text: string): void;
  onGarbage(reason: string, excerpt: string): void;
  onExit(failure: McpError): void;
}

/** Longer lines are cut: a log is for reading. */
const longestLine = 500;

export function tunnelLog(print: Printer, now: () => number): TunnelLog {
  const time = () => new Date(now()).toTimeString().slice(0, 8);
  let rest = "";
  let hasComplained = false;
  return {
    news(news) {
      switch (news.kind) {
        case "lost":
          return print.warn(`The connection to the service was lost (${news.code}). Connecting again ...`);
        case "waiting":
          return print.note(
            `Trying again in ${(news.ms / 1000).toFixed(1)} s${news.why ? `: ${news.why}` : ""}`,
          );
        case "back":
          return print.note(text`${style.green("✓")} Connected again.`);
        case "renewed":
          return print.prompt(text`${style.yellow("!")} The address has changed: ${news.grant.url}`);
      }
    },
    served({ method, asks, status, failure, durationMs }) {
      const what = asks === undefined ? method : asks;
      const took = `${Math.round(durationMs)} ms`;
      if (failure !== undefined) print.warn(`${time()} ${what} failed after ${took}: ${failure}`);
      else print.note(`${time()} ${what} ${status} ${took}`);
    },
    /** The server's own words, line by line. */
    onStderr(chunk) {
      const all = `${rest}${chunk}`.split("\n");
      rest = (all.pop() ?? "").slice(-longestLine);
      for (const line of all) print.note(text`${style.dim("│")} ${line.slice(0, longestLine)}`);
    },
    onGarbage(reason, excerpt) {
      if (hasComplained) return;
      hasComplained = true;
      print.warn(`The server writes to stdout what is no message (${reason}): ${excerpt.slice(0, 120)}`);
    },
    onExit(failure) {
      print.warn(`${failure.message} It is started again with the next call.`);
    },
  };
}
