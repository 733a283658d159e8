/** @module What stands around an edited suite: who may save it, what keeps it from being saved, and who saved first. */
import type { EvalSuiteDetail } from "@fettle/contract/evals";
import type { ReactNode } from "react";
import { DraftEditor } from "../../../../kit/conflict/draft-editor.tsx";
import { CopyButton } from "../../../../ui/copy-button.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { documentFrom, fieldLabel, fieldsOf } from "../suite-draft.ts";
import type { SuiteEditing } from "../use-suite-editing.ts";

export function fileRefusal({ origin }: Pick<EvalSuiteDetail, "origin">): string | undefined {
  return origin === "file" ? "A file owns this suite." : undefined;
}

export interface SuiteDraftFrameProps {
  state: SuiteEditing;
  suite: EvalSuiteDetail;
  title: string;
  about?: string;
  children: ReactNode;
}

export function SuiteDraftFrame({ state, suite, title, about, children }: SuiteDraftFrameProps) {
  const { editing, findings } = state;
  const { draft } = editing;
  return (
    <div data-testid="suite-editor" data-changed={editing.changed} className="stack gap-6">
      {suite.origin === "file" && <FileOwned suite={suite} />}
      <DraftEditor
        editing={editing}
        what="the suite"
        title={title}
        about={about}
        unsaved="Not saved yet. Runs play what is saved."
        errors={Object.fromEntries(findings.map(({ pointer, message }) => [pointer, message]))}
        conflict={{
          fieldsOf: ({ document }) => fieldsOf(document),
          mine: fieldsOf(draft.document),
          current: ({ revision }) => `revision ${revision.slice(0, 8)}`,
          labelOf: (field) => fieldLabel(field, [draft.document, draft.base.document]),
          settle: (base, fields) => ({ base, document: documentFrom(fields) }),
        }}
      >
        {children}
      </DraftEditor>
    </div>
  );
}

function FileOwned({ suite: { name, declaredId } }: { suite: EvalSuiteDetail }) {
  const command = "fettle cloud eval run --file suite.yaml --wait";
  return (
    <Notice kind="info" title="A file owns this suite">
      <p>
        What it says comes from the suite file that declares <code>{declaredId ?? name}</code>, so it is shown
        here and changed there. The next run of the file brings the change:
      </p>
      <p className="mt-1.5 flex flex-wrap items-center gap-2">
        <code className="break-all text-code">{command}</code>
        <CopyButton small text={command} label="Copy command" />
      </p>
    </Notice>
  );
}
