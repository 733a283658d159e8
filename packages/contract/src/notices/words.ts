/** @module The words of notices: what a project tells of by itself, and how telling it went. Free of zod, for pages. */

/** What may be told. A verdict has turned when a suite passes that failed before, or the other way round. */
export const noticeEvents = [
  "verdict.turned",
  "conformance_run.ended",
  "eval_run.ended",
  "tunnel.dropped",
] as const;
export type NoticeEvent = (typeof noticeEvents)[number];

/** Sent when somebody asks for it, to try a receiver. */
export const testNotice = "test";
export type NoticeType = NoticeEvent | typeof testNotice;

/** `waiting`: it is sent soon, or once more. `failed`: it is not tried any more. */
export const deliveryStates = ["waiting", "delivered", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];
