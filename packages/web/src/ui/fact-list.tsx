/** @module A few facts by name, such as what somebody is asked to agree to. */
import type { ReactNode } from "react";

export function FactList({ children }: { children: ReactNode }) {
  return <dl className="grid gap-3 rounded-control border border-line bg-sunken p-4">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-3 text-sm sm:grid-cols-[7rem_1fr]">
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
