/** @module What notices are held to; stands by itself because pages quote it. */
import { day, hour, minute, second } from "../core/limits/units.ts";

export const noticeLimits = {
  /** Of one project. */
  webhooks: 100,
  nameLength: 120,
  listed: { max: 200, fallback: 50 },
  /** How long what was told is kept, with its deliveries. */
  keptDays: 30,
  /** How long one try may take. */
  sendMs: 15 * second,
  /** Of what a receiver answers. */
  answerLength: 500,
  /** Between one try and the next; after the last it is not tried any more. */
  retryMs: [
    5 * second,
    30 * second,
    2 * minute,
    10 * minute,
    30 * minute,
    2 * hour,
    6 * hour,
    12 * hour,
  ] as readonly number[],
  /** The longest wait that a receiver may ask for. */
  longestWaitMs: day,
  /** A receiver that has taken nothing for so long is switched off. */
  offAfterMs: 3 * day,
  /** How long what an earlier secret signs goes along, so that receivers can be changed without a gap. */
  earlierSecretMs: day,
  /** A tunnel whose host comes back within this has not dropped. */
  tunnelGraceMs: minute,
} as const;

export const auditLimits = {
  actionLength: 100,
  listed: { max: 200, fallback: 50 },
  /** Kept so long, unless the operator says otherwise. */
  days: { min: 1, max: 36_500, fallback: 365 },
} as const;
