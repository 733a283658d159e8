/** @module Which findings are shown: those to look at, or those that were set aside. The address says which. */
import type { ReactNode } from "react";
import { Choice } from "../../../ui/choice.tsx";
import type { FindingFilter } from "../queries.ts";

const filters: readonly { value: FindingFilter; label: string }[] = [
  { value: "open", label: "To look at" },
  { value: "dismissed", label: "Dismissed" },
];

export function findingFilter([shown, setShown]: readonly [string, (next: string) => void]): {
  filter: FindingFilter;
  choice: ReactNode;
} {
  const filter: FindingFilter = shown === "dismissed" ? "dismissed" : "open";
  const choice = (
    <Choice
      label="Which findings"
      hideLabel
      as="segments"
      options={filters}
      value={filter}
      onChange={(next) => setShown(next === "open" ? "" : next)}
    />
  );
  return { filter, choice };
}
