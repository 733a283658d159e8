/** @module What scenarios and their visitors are held to; stands by itself because the pages of visitors load little. */
import { day, minute, second } from "./units.ts";

/** Of scenarios and their visitors. */
export const userTestingLimits = {
  emailLength: { min: 3, max: 320 },
  scenarioMembers: 1_000,
  /** Of a count in what guests may use up, and of what their models may cost a day, in hundredths of a dollar. */
  counts: 1_000_000,
  creditCap: 1_000_000,
  /** What guests may use up where nobody has said. */
  usualCreditCap: 100,
  turnsPerSession: { max: 200, fallback: 40 },
  sessionsPerVisitorPerDay: { max: 100, fallback: 10 },
  /** Turns under way at once, over all visitors of one scenario. Apart from those of the organization's own people. */
  concurrentTurns: 8,
  turnMs: 2 * minute,
  /** Those who write while as many as may are answered: how many may wait, for how long, and how often they are told and looked after. */
  line: { longest: 200, waitMs: 90 * second, tellMs: 5 * second, lookMs: second / 4 },
  /** Of one visitor, and of all visitors of one scenario who share an address, such as a class. */
  turnsPerMinute: { visitor: 6, address: 600 },
  /** What widgets are shown and ask for. */
  widgetAsksPerMinute: { visitor: 60, address: 3_000 },
  /** Opening the link: a browser that has been here, new ones of one scenario that share an address, and links that are wrong. */
  opensPerMinute: { visitor: 30, address: 300, wrongLink: 30 },
  /** Since it was last used. */
  visitMs: 7 * day,
  idleMs: 30 * minute,
  eraseMs: day,
  retentionDays: 90,
  stars: 5,
  commentLength: 2_000,
  displayNameLength: 80,
  /** Messages of one's own session that a page gets at once. */
  shownMessages: 400,
  /** Live streams of visitors' pages: of one visitor, from one address, and in all. */
  streams: { perSession: 4, perAccount: 400, perProcess: 1_000 },
  listed: { max: 200, fallback: 50 },
  /** The latest sessions that metrics and usage are made of. */
  analyzedSessions: 1_000,
  trendDays: 14,
  windowMs: 7 * day,
} as const;
