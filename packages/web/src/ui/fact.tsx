/** @module Named facts of one thing, at a glance. */
import type { ReactNode } from "react";

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-4">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-faint text-sm">{name}</dt>
      <dd className="mt-0.5 break-words">{children}</dd>
    </div>
  );
}
