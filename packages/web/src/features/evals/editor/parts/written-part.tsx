/** @module A part of a case that no form has fields for, as it is written: it stays as it is, and is changed as YAML. */
import { linesOf } from "../places.ts";
import type { Place } from "../suite-draft.ts";

export interface Written {
  text: string;
  places: readonly Place[];
  path: Place["path"];
}

export function WrittenPart({ text, places, path }: Written) {
  return (
    <div className="stack gap-1.5">
      <pre
        data-testid="written-part"
        className="overflow-x-auto rounded-control border border-line bg-sunken px-3 py-2 font-mono text-code"
      >
        {linesOf(text, places, path) ?? "…"}
      </pre>
      <p className="text-faint text-sm">Kept as it is. Change it as YAML.</p>
    </div>
  );
}
