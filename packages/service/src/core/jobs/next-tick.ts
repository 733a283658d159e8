/** @module When a cron expression falls due next. Apart, because the parser brings a library of dates that no start should wait for. */
import { CronExpressionParser } from "cron-parser";

/** Throws when the expression or the time zone means nothing. */
export function nextTick(cron: string, timezone: string, after: Date): Date {
  return CronExpressionParser.parse(cron, { tz: timezone, currentDate: after }).next().toDate();
}
