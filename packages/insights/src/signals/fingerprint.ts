/** @module What a signal is known by, from scope to scope: its detector and whom it is about. Pure. */

const longest = 200;

/** Its parts stand between colons. */
export const fingerprintPart = (part: string) => part.replace(/[:\n]/g, "_");

/** Several remedies may be of one signal. */
export function signalFingerprint(detector: string, subject: { kind: string; id: string }): string {
  return [detector, subject.kind, subject.id].map(fingerprintPart).join(":").slice(0, longest);
}
