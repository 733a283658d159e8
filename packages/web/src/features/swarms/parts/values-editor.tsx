/** @module Edits a persona, a journey or a swarm. When somebody else saved first it becomes a choice: mine, theirs, or merged. */
import type { ReactNode } from "react";
import { DraftEditor, useEditing } from "../../../kit/conflict/draft-editor.tsx";
import { momentOf } from "../../../lib/time.ts";
import { toast } from "../../../ui/toast.tsx";
import { type Kind, saveThing, type ThingOf } from "../queries.ts";
import {
  changesOf,
  fieldLabels,
  fields,
  type JourneyValues,
  type PersonaValues,
  type SwarmValues,
} from "../values.ts";

interface ValuesOf {
  persona: PersonaValues;
  journey: JourneyValues;
  swarm: SwarmValues;
}

export interface ValuesEditorProps<K extends Kind> {
  kind: K;
  stored: ThingOf<K>;
  valuesOf: (stored: ThingOf<K>) => ValuesOf[K];
  children: (values: ValuesOf[K], set: (change: Partial<ValuesOf[K]>) => void) => ReactNode;
}

export function ValuesEditor<K extends Kind>({ kind, stored, valuesOf, children }: ValuesEditorProps<K>) {
  type Draft = { base: ThingOf<K>; values: ValuesOf[K] };
  const changes = ({ base, values }: Draft) => changesOf(valuesOf(base), values);
  const editing = useEditing({
    key: `${kind}:${stored.id}`,
    keeps: true,
    stored,
    start: (base: ThingOf<K>): Draft => ({ base, values: valuesOf(base) }),
    isChanged: (draft) => Object.keys(changes(draft)).length > 0,
    isOutdated: ({ base }, now) => now.updatedAt !== base.updatedAt,
    faultOf: () => undefined,
    save: (draft) => saveThing(kind, draft.base, changes(draft)),
    onEnd: ({ kind: ended }) => ended === "saved" && toast("Saved"),
  });
  const { draft, changed } = editing;
  return (
    <div data-testid="swarm-editor" data-changed={changed}>
      <DraftEditor
        editing={editing}
        what={`the ${kind}`}
        title="Settings"
        conflict={{
          fieldsOf: (thing) => fields(valuesOf(thing)),
          mine: fields(draft.values),
          current: ({ updatedAt }) => `what was saved on ${momentOf(updatedAt)}`,
          labelOf: (field) => fieldLabels[field] ?? field,
          // Chosen field by field from values of this kind.
          settle: (base, chosen) => ({ base, values: chosen as ValuesOf[K] }),
        }}
      >
        <div className="stack max-w-xl gap-5">
          {children(draft.values, (change) =>
            editing.edit({ ...draft, values: { ...draft.values, ...change } }),
          )}
        </div>
      </DraftEditor>
    </div>
  );
}
