/** @module What the service refused, above the form's buttons, unless it is already said at a field. */
import type { ApiError } from "@fettle/contract";
import { fieldErrors } from "../api/failure.ts";
import { Notice } from "../ui/notice.tsx";

export function FormFailure({ failure }: { failure: ApiError | null }) {
  if (!failure) return null;
  const faults = Object.keys(fieldErrors(failure)).length;
  const text =
    failure.code === "RATE_LIMITED" && failure.retryAfter
      ? `Too many tries. Try again in ${failure.retryAfter} seconds.`
      : faults > 0
        ? `Nothing was saved: ${faults === 1 ? "one field needs" : `${faults} fields need`} another look.`
        : failure.message;
  return (
    <Notice kind="bad" role="alert">
      {text}
    </Notice>
  );
}
