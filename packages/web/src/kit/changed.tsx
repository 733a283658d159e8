/** @module Who changed something last, and when. */
import type { Author } from "@fettle/contract/core";
import { Time } from "../ui/time.tsx";

export function Changed({ by, at }: { by: Author; at: number }) {
  return (
    <span className="text-soft">
      {by && <span className="mr-1 break-words">{by.name},</span>}
      <Time at={at} />
    </span>
  );
}
