/** @module Waiting: nothing for a moment, then the shape of what comes, then words. */
import type { ReactNode } from "react";
import { Skeleton } from "../ui/skeleton.tsx";

export function Loading({ what, children }: { what: string; children?: ReactNode }) {
  return (
    <div data-testid="state" data-state="loading" role="status" className="delay-skeleton">
      {children ?? <RowsSkeleton />}
      <p className="delay-words mt-3 text-faint text-sm">Loading {what} …</p>
    </div>
  );
}

export function RowsSkeleton({ rows = 4 }: { rows?: number }) {
  return (
    <div className="overflow-hidden rounded-panel border border-line bg-surface">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never change places.
        <div key={index} className="flex h-12 items-center gap-3 border-line border-b px-4 last:border-b-0">
          <Skeleton className="size-6 rounded-full" />
          <Skeleton className="h-3 w-48" />
          <Skeleton className="ml-auto h-3 w-20" />
        </div>
      ))}
    </div>
  );
}
