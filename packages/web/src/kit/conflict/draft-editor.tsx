/** @module Edits what others may edit too: a draft that outlives the page, a bar that saves or discards it, and a choice where somebody else saved first. */
import type { Author } from "@fettle/contract/core";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { fieldErrors } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { FormFailure } from "../form-failure.tsx";
import { SubmitButton } from "../submit-button.tsx";
import { type Action, useAction } from "../use-action.ts";
import { useDraft } from "../use-draft.ts";
import { useLeaveGuard } from "../use-leave-guard.ts";
import type { ConflictSheetProps } from "./conflict-sheet.tsx";
import { conflictRows, type Fields } from "./three-way.ts";

/** Two people seldom meet: what they need then is fetched then. */
const ConflictSheet = lazy(async () => ({ default: (await import("./conflict-sheet.tsx")).ConflictSheet }));

/** What is edited: who changed it last is said when two meet. */
interface Stored {
  updatedBy?: Author;
  updatedAt: number;
}

/** How saving ended. But for `saved` nothing was written, and what is stored now comes along. */
interface Outcome<Thing> {
  kind: string;
  stored: Thing;
}

interface EditingRules<Thing, Draft, Result> {
  /** Under which the draft is kept. */
  key: string;
  /** The draft outlives a reload, and whoever closes the tab is asked first. */
  keeps?: true;
  stored: Thing;
  start: (stored: Thing) => Draft;
  isChanged: (draft: Draft) => boolean;
  /** Whether what is stored is no longer what the edit began with. */
  isOutdated: (draft: Draft, stored: Thing) => boolean;
  /** Why it may not be saved, or not as it is. */
  faultOf: (draft: Draft) => string | undefined;
  save: (draft: Draft) => Promise<Result>;
  onEnd: (result: Result, draft: Draft) => void;
  /** Asked before the first save; true when it is not to be sent yet. */
  holds?: (draft: Draft) => boolean;
}

export interface Editing<Thing, Draft> {
  stored: Thing;
  draft: Draft;
  changed: boolean;
  isOutdated: boolean;
  blocked: string | undefined;
  /** What somebody else saved, while it is to be chosen. */
  theirs: Thing | null;
  save: Action<[Draft]>;
  edit: (next: Draft) => void;
  discard: () => void;
  submit: () => void;
  compare: (theirs: Thing | null) => void;
}

/**
 * @example
 * const editing = useEditing({ key: `client:${client.id}`, stored: client, start: draftFrom, … });
 * <DraftEditor editing={editing} …>{fields}</DraftEditor>
 */
export function useEditing<Thing, Draft extends { base: Thing }, Result extends Outcome<Thing>>(
  rules: EditingRules<Thing, Draft, Result>,
): Editing<Thing, Draft> {
  const { key, stored, keeps = false } = rules;
  const [kept, setKept] = useDraft<Draft>(key, keeps);
  const [theirs, compare] = useState<Thing | null>(null);
  const draft = kept ?? rules.start(stored);
  const changed = rules.isChanged(draft);
  const blocked = rules.faultOf(draft);
  const isOutdated = changed && rules.isOutdated(draft, stored);
  useLeaveGuard(changed);
  const save = useAction(rules.save, (result) => {
    compare(result.kind === "conflict" ? result.stored : null);
    if (result.kind === "saved") setKept(undefined);
    rules.onEnd(result, draft);
  });
  return {
    stored,
    draft,
    changed,
    isOutdated,
    blocked,
    theirs,
    save,
    compare,
    edit: (next) => setKept(rules.isChanged(next) ? next : undefined),
    discard: () => {
      save.reset();
      setKept(undefined);
      compare(null);
    },
    submit: () => {
      if (!changed || blocked !== undefined) return;
      if (isOutdated) compare(stored);
      else if (!rules.holds?.(draft)) save.run(draft);
    },
  };
}

export interface DraftEditorProps<Thing, Draft> {
  editing: Editing<Thing, Draft>;
  /** What is being saved, as in "the client". */
  what: string;
  title: string;
  about?: ReactNode;
  /** What is said of a draft that is not saved yet. */
  unsaved?: string;
  /** Faults by field, beside those that the service named by the field's path. */
  errors?: Record<string, string>;
  /** How the two who changed it are set side by side. */
  conflict: Pick<ConflictSheetProps, "labelOf" | "show"> & {
    fieldsOf: (thing: Thing) => Fields;
    mine: Fields;
    /** What the service said is stored now, as in "revision 5". */
    current: (theirs: Thing) => string;
    settle: (theirs: Thing, fields: Fields) => Draft;
  };
  children: ReactNode;
}

export function DraftEditor<Thing extends Stored, Draft extends { base: Thing }>({
  editing,
  what,
  title,
  about,
  unsaved = "Not saved yet.",
  errors,
  conflict,
  children,
}: DraftEditorProps<Thing, Draft>) {
  const { stored, draft, changed, blocked, theirs, save } = editing;
  const { fieldsOf, mine, current, settle, ...shown } = conflict;
  return (
    <>
      {editing.isOutdated && (
        <Notice kind="warn" role="status" title="It was changed while you were editing">
          <p className="mb-2">
            {stored.updatedBy?.name ?? "Someone"} saved {current(stored)}. Yours is still here and not saved.
          </p>
          <Button onClick={() => editing.compare(stored)}>Compare and choose</Button>
        </Notice>
      )}
      <Form label={what} errors={{ ...fieldErrors(save.failure), ...errors }} onSubmit={editing.submit}>
        <Panel
          title={title}
          about={about}
          heldFooter
          footer={
            <>
              <span>{blocked ?? (changed ? unsaved : "All saved.")}</span>
              <span className="flex gap-2">
                {changed && <Button onClick={editing.discard}>Discard</Button>}
                <SubmitButton busy={save.busy} disabled={!changed || blocked !== undefined}>
                  Save
                </SubmitButton>
              </span>
            </>
          }
        >
          <div className="stack gap-6">
            {children}
            <FormFailure failure={save.failure} />
          </div>
        </Panel>
      </Form>
      {theirs && (
        <Suspense>
          <ConflictSheet
            {...shown}
            what={what}
            current={current(theirs)}
            author={theirs.updatedBy?.name}
            at={theirs.updatedAt}
            rows={conflictRows(fieldsOf(draft.base), mine, fieldsOf(theirs))}
            theirs={fieldsOf(theirs)}
            busy={save.busy}
            failure={save.failure}
            onClose={() => editing.compare(null)}
            onTheirs={editing.discard}
            onSave={(fields) => {
              const settled = settle(theirs, fields);
              editing.edit(settled);
              save.run(settled);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
