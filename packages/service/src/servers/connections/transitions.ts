/** @module Which state may follow which, written once. README.md draws it; `store.moveRequest` holds every step to it. */
import { type ConnectionStatus, connectionStatuses } from "@fettle/contract/servers";

const terminal: readonly ConnectionStatus[] = ["ready", "failed", "expired", "cancelled"];

/** On the way: each holds one of its account's places. */
export const openStatuses = connectionStatuses.filter((status) => !terminal.includes(status));

export function isOpen(status: ConnectionStatus): boolean {
  return openStatuses.includes(status);
}

interface Transition {
  from: readonly ConnectionStatus[];
  to: ConnectionStatus;
}

export const transitions = {
  discoverAgain: { from: ["discovering"], to: "discovering" },
  askForProject: { from: ["discovering"], to: "awaiting_project" },
  askForConsent: { from: ["discovering", "awaiting_project"], to: "awaiting_authorization" },
  /** Also from `authorizing`: whoever came back without an answer may go once more. */
  openConsent: { from: ["awaiting_authorization", "authorizing"], to: "authorizing" },
  /** The way back was lost: nothing was decided, so consent may be asked for again. */
  interruptConsent: { from: ["authorizing"], to: "awaiting_authorization" },
  validate: { from: ["discovering", "awaiting_project", "authorizing"], to: "validating" },
  validateAgain: { from: ["validating"], to: "validating" },
  connect: { from: ["validating"], to: "ready" },
  fail: { from: ["discovering", "awaiting_authorization", "authorizing", "validating"], to: "failed" },
  cancel: { from: openStatuses, to: "cancelled" },
  expire: { from: openStatuses, to: "expired" },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;
