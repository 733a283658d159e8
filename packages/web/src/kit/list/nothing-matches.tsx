/** @module A filter that leaves nothing: says which, and how to be rid of it. */
import { SearchX } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { StateView } from "../state-view.tsx";

export function NothingMatches({ filter, onClear }: { filter: string; onClear: () => void }) {
  return (
    <StateView
      state="filtered"
      icon={<SearchX aria-hidden="true" className="size-5" />}
      title="Nothing matches"
      actions={<Button onClick={onClear}>Clear filter</Button>}
    >
      No row holds “{filter}”.
    </StateView>
  );
}
