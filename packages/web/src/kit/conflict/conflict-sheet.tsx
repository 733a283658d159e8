/** @module Somebody else saved first: theirs, mine, or a merge field by field. Nothing is saved before a button is pressed. */
import type { ApiError } from "@fettle/contract/core";
import { type ReactNode, useState } from "react";
import type { Json } from "../../lib/json-exact.ts";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { FormFailure } from "../form-failure.tsx";
import { JsonValueText } from "../json-diff/json-diff-view.tsx";
import { type ConflictRow, type Fields, preselected, type Side, settled } from "./three-way.ts";

type Way = "theirs" | "mine" | "merged";

export interface ConflictSheetProps {
  /** What was being saved, as in "the environment". */
  what: string;
  /** What the service said is stored now, as in "revision 5". */
  current: string;
  author: string | undefined;
  at: number;
  rows: readonly ConflictRow[];
  theirs: Fields;
  labelOf?: (field: string) => string;
  show?: (field: string, value: Json | undefined) => ReactNode;
  busy: boolean;
  failure: ApiError | null;
  onClose: () => void;
  onTheirs: () => void;
  onSave: (fields: Fields) => void;
}

export function ConflictSheet(props: ConflictSheetProps) {
  const { rows, theirs } = props;
  const [way, setWay] = useState<Way>("merged");
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const sideOf = (row: ConflictRow): Side =>
    way === "merged" ? (chosen[row.field] ?? preselected(row)) : way;
  const mine = Object.fromEntries(rows.map((row) => [row.field, row.mine ?? null]));
  return (
    <Dialog
      wide
      open
      onClose={props.onClose}
      title="Somebody else saved first"
      description={
        <>
          {props.author ?? "Someone"} changed {props.what} <Time at={props.at} />. It is now at{" "}
          {props.current}. Yours is not saved.
        </>
      }
    >
      <div data-testid="conflict" data-count={rows.length} className="stack gap-4">
        {rows.length === 0 ? (
          <Notice kind="good">
            What is stored now is what you wanted to save. There is nothing to choose.
          </Notice>
        ) : (
          <>
            <Choice
              label="What becomes of it"
              value={way}
              onChange={setWay}
              options={[
                { value: "merged", label: "Merge", hint: "Field by field, as chosen below." },
                { value: "mine", label: "Mine", hint: "Every field as I have it; theirs is overwritten." },
                { value: "theirs", label: "Theirs", hint: "As it is stored now; my edit is dropped." },
              ]}
            />
            <ul className="grid gap-3">
              {rows.map((row) => (
                <ConflictField
                  key={row.field}
                  row={row}
                  side={sideOf(row)}
                  fixed={way !== "merged"}
                  label={props.labelOf?.(row.field) ?? row.field}
                  show={props.show ?? showJson}
                  onSide={(side) => setChosen({ ...chosen, [row.field]: side })}
                />
              ))}
            </ul>
          </>
        )}
        <FormFailure failure={props.failure} />
        <DialogActions>
          {rows.length > 0 && (
            <span className="mr-auto">
              <CopyButton look="quiet" label="Copy mine" text={JSON.stringify(mine, null, 2)} />
            </span>
          )}
          <Button onClick={props.onClose}>Keep editing</Button>
          {way === "theirs" || rows.length === 0 ? (
            <Button look="primary" onClick={props.onTheirs}>
              Take theirs
            </Button>
          ) : (
            <Button
              look="primary"
              busy={props.busy}
              onClick={() => props.onSave(settled(theirs, rows, sideOf))}
            >
              {way === "mine" ? "Save mine" : "Save merged"}
            </Button>
          )}
        </DialogActions>
      </div>
    </Dialog>
  );
}

const changedBy = {
  me: "only you changed it",
  them: "only they changed it",
  both: "both changed it",
} as const;

function showJson(_field: string, value: Json | undefined): ReactNode {
  return <JsonValueText value={value} />;
}

interface ConflictFieldProps {
  row: ConflictRow;
  side: Side;
  fixed: boolean;
  label: string;
  show: NonNullable<ConflictSheetProps["show"]>;
  onSide: (side: Side) => void;
}

function ConflictField({ row, side, fixed, label, show, onSide }: ConflictFieldProps) {
  const sides: [Side, string, Json | undefined][] = [
    ["mine", "Mine", row.mine],
    ["theirs", "Theirs, stored now", row.theirs],
  ];
  return (
    <li data-testid="conflict-field" data-field={row.field} data-side={side}>
      <fieldset disabled={fixed} className="grid min-w-0 gap-1.5">
        <legend className="mb-1.5 text-sm">
          <span className="font-medium">{label}</span>
          <span className="ml-2 text-faint">{changedBy[row.changedBy]}</span>
        </legend>
        <div className="grid overflow-hidden rounded-control border border-line-strong sm:grid-cols-2">
          {sides.map(([each, name, value]) => (
            <label
              key={each}
              className="flex min-w-0 cursor-pointer items-start gap-2.5 border-line bg-surface px-3 py-2.5 hover:bg-hover has-checked:bg-selected has-disabled:cursor-not-allowed has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:-outline-offset-2 max-sm:not-last:border-b sm:not-last:border-r"
            >
              <input
                type="radio"
                name={`side of ${row.field}`}
                checked={side === each}
                onChange={() => onSide(each)}
                className="mt-0.75 size-4 shrink-0 appearance-none rounded-full border border-edge bg-surface outline-none checked:border-[5px] checked:border-accent"
              />
              <span className="grid min-w-0 gap-1">
                <span className="text-sm text-soft">{name}</span>
                {show(row.field, value)}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    </li>
  );
}
