/** @module A value nobody knows: a dash with the reason, never a zero. */

export function Unknown({ reason }: { reason: string }) {
  return (
    <span title={reason} className="text-faint">
      <span aria-hidden="true">–</span>
      <span className="sr-only">{reason}</span>
    </span>
  );
}
