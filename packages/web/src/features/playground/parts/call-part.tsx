/** @module A named part of what there is to know of a call. */
import type { ReactNode } from "react";

export function CallPart({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div className="stack gap-1.5">
      <p className="font-medium text-faint text-xs">{name}</p>
      {note && <p className="text-faint text-sm">{note}</p>}
      {children}
    </div>
  );
}
