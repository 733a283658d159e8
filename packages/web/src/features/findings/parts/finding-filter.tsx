/** @module Which findings are shown: those to look at, or those that were set aside. The address says which. */
import type { ReactNode } from "react";
import { useSearchText } from "../../../pages/use-search.ts";
import { Choice } from "../../../ui/choice.tsx";
import type { FindingFilter } from "../queries.ts";

const filters: readonly { value: FindingFilter; label: string }[] = [
  { value: "open", label: "To look at" },
  { value: "dismissed", label: "Dismissed" },
];

export function useFindingFilter(): { filter: FindingFilter; choice: ReactNode } {
  const [shown, setShown] = useSearchText("show");
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
