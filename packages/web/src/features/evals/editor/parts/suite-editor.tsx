/** @module Edits the cases of a suite as forms and as YAML, side by side: each follows the other. */
import type { EvalSuiteDetail, EvalSuiteEdition } from "@fettle/contract/evals";
import { useState } from "react";
import { cx } from "../../../../lib/cx.ts";
import { moved } from "../../../../lib/moved.ts";
import { Choice } from "../../../../ui/choice.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { caseAtLine, placeOf } from "../places.ts";
import { copyOf, keyOf, newCase, withCases } from "../suite-draft.ts";
import { useSuiteEditing } from "../use-suite-editing.ts";
import { CaseForm } from "./case-form.tsx";
import { CaseList } from "./case-list.tsx";
import { fileRefusal, SuiteDraftFrame } from "./suite-draft-frame.tsx";
import { YamlPane } from "./yaml-pane.tsx";

export interface SuiteEditorProps {
  suite: EvalSuiteDetail;
  edition: EvalSuiteEdition;
  userId: string;
  /** The case that is open, by its id. */
  open: string;
  onOpen: (key: string) => void;
}

export function SuiteEditor({ suite, edition, userId, open, onOpen }: SuiteEditorProps) {
  const address = { projectId: suite.projectId, suiteId: suite.id, userId };
  const state = useSuiteEditing(address, edition, fileRefusal(suite));
  const { editing, findings, read, isUnread } = state;
  const { draft, edit } = editing;
  const { cases } = draft.document;
  const readOnly = suite.origin === "file";
  const [pane, setPane] = useState<"form" | "yaml">("form");
  const found = cases.findIndex((one, at) => keyOf(one, at) === open);
  const at = found < 0 ? 0 : found;
  const one = cases[at];
  const place = placeOf(read.places, ["cases", at]);
  const select = (to: number) => cases[to] && onOpen(keyOf(cases[to], to));
  const change = (next: typeof cases, to: number) => {
    edit(withCases(draft, () => next));
    onOpen(next[to] ? keyOf(next[to], to) : "");
  };
  return (
    <SuiteDraftFrame state={state} title="Cases" suite={suite}>
      <div className="xl:hidden">
        <Choice
          as="segments"
          hideLabel
          label="Show as"
          value={pane}
          onChange={setPane}
          options={[
            { value: "form", label: "Form" },
            { value: "yaml", label: findings.length > 0 ? `YAML (${findings.length})` : "YAML" },
          ]}
        />
      </div>
      <div className="grid items-start gap-6 xl:grid-cols-[14rem_minmax(0,1fr)_minmax(0,1fr)]">
        <div
          className={cx(
            "grid min-w-0 items-start gap-6 xl:col-span-2 xl:grid-cols-[14rem_minmax(0,1fr)]",
            pane === "yaml" && "max-xl:hidden",
          )}
        >
          <CaseList
            cases={cases}
            selected={at}
            faulty={new Set(findings.flatMap(({ path }) => (path[0] === "cases" ? [Number(path[1])] : [])))}
            readOnly={readOnly || isUnread}
            onSelect={select}
            onAdd={() => change([...cases, newCase()], cases.length)}
          />
          <div className="stack min-w-0 gap-4">
            {isUnread && (
              <Notice kind="warn" role="status" title="The YAML cannot be read yet">
                Here is what it said before. The form follows once its findings are mended.
              </Notice>
            )}
            {one && (
              <CaseForm
                key={keyOf(one, at)}
                one={one}
                at={at}
                count={cases.length}
                written={{ text: read.text, places: read.places, path: ["cases", at] }}
                readOnly={readOnly || isUnread}
                onChange={(next) => edit(withCases(draft, (all) => all.with(at, next)))}
                onMove={(to) => change(moved(cases, at, to), to)}
                onCopy={() => change(cases.toSpliced(at + 1, 0, copyOf(one)), at + 1)}
                onRemove={() => change(cases.toSpliced(at, 1), Math.max(0, at - 1))}
              />
            )}
          </div>
        </div>
        <div className={cx("min-w-0 xl:sticky xl:top-4", pane === "form" && "max-xl:hidden")}>
          <YamlPane
            text={state.text}
            findings={findings}
            readOnly={readOnly || state.isWriting}
            shown={place}
            onText={(text) => {
              const { text: _, ...rest } = draft;
              edit(
                text === edition.text && draft.base.revision === edition.revision
                  ? { ...rest, document: edition.document }
                  : { ...draft, text },
              );
            }}
            onLine={(line) => {
              const there = caseAtLine(read.places, line);
              if (there !== undefined && there !== at) select(there);
            }}
          />
        </div>
      </div>
    </SuiteDraftFrame>
  );
}
