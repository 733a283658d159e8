/** @module Checks in a list: of a whole case, or of every case of a suite. */
import { Plus } from "lucide-react";
import { CheckFields } from "../../../../kit/checks/check-fields.tsx";
import { asKind, type Check, checkKinds } from "../../../../kit/checks/check-kinds.ts";
import { ListButtons } from "../../../../kit/schema-form/list-buttons.tsx";
import { moved } from "../../../../lib/moved.ts";
import { Button } from "../../../../ui/button.tsx";
import { type Written, WrittenPart } from "./written-part.tsx";

export interface CheckListProps {
  checks: readonly Check[];
  /** Where they stand, as findings name it. */
  pointer: string;
  written: Written;
  onChange: (checks: Record<string, unknown>[]) => void;
}

export function CheckList({ checks, pointer, written, onChange }: CheckListProps) {
  return (
    <div className="stack gap-3">
      {checks.map((check, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: checks have no identity but their place.
          key={at}
          data-testid="edited-check"
          className="stack gap-3 rounded-control border border-line p-3"
        >
          <div className="flex items-center justify-between gap-2">
            <span className="font-medium text-sm">{checkKinds[String(check.type)]?.label ?? "Check"}</span>
            <ListButtons
              what={`check ${at + 1}`}
              at={at}
              count={checks.length}
              onMove={(to) => onChange(moved(checks, at, to))}
              onRemove={() => onChange(checks.toSpliced(at, 1))}
            />
          </div>
          <CheckFields
            check={check}
            pointer={`${pointer}[${at}]`}
            otherwise={<WrittenPart {...written} path={[...written.path, at]} />}
            onChange={(next) => onChange(checks.with(at, next))}
          />
        </div>
      ))}
      <span>
        <Button
          icon={<Plus aria-hidden="true" className="size-3.5" />}
          onClick={() => onChange([...checks, asKind("noToolErrors")])}
        >
          Add check
        </Button>
      </span>
    </div>
  );
}
