/** @module What a problem is known by: its kind, where it lies and how it shows; never when, how often or with which model. Pure. */
import { shortDigestOf } from "../digest.ts";
import type { ErrorClass } from "../errors/error-class.ts";

/** What a remedy is about. Where no server is named, `subject` says whom it is about: `case:c_1`. */
export interface Remedy {
  detector: string;
  serverId: string | null;
  toolName: string | null;
  surface: string | null;
  fieldPath: string | null;
  errorClass: ErrorClass | null;
  template: string | null;
  subject?: string;
}

/** The same in every run, wave and window, whatever was edited meanwhile. */
export function findingId(remedy: Remedy): string {
  const { subject, ...facts } = remedy;
  const about = remedy.serverId === null && subject !== undefined ? { subject } : {};
  return `rf_${shortDigestOf({ v: 1, ...facts, ...about })}`;
}
