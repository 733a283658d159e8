/** @module One case as a form. What no form has fields for stays as it is, and is shown as it is written. */
import { Copy, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { ListButtons } from "../../../../kit/schema-form/list-buttons.tsx";
import { Checkbox } from "../../../../ui/checkbox.tsx";
import { Field } from "../../../../ui/field.tsx";
import { IconButton } from "../../../../ui/icon-button.tsx";
import { Input } from "../../../../ui/input.tsx";
import { Select } from "../../../../ui/select.tsx";
import { Textarea } from "../../../../ui/textarea.tsx";
import { type EditedCase, having } from "../suite-draft.ts";
import { CheckList } from "./check-list.tsx";
import { ExpectErrorFields } from "./expect-error-fields.tsx";
import { MatchFields } from "./match-fields.tsx";
import { StepsForm } from "./steps-form.tsx";
import { type Written, WrittenPart } from "./written-part.tsx";

export interface CaseFormProps {
  one: EditedCase;
  at: number;
  count: number;
  written: Written;
  readOnly: boolean;
  onChange: (one: EditedCase) => void;
  onMove: (to: number) => void;
  onCopy: () => void;
  onRemove: () => void;
}

const modes = [
  { value: "extend", label: "Beside the suite's own" },
  { value: "replace", label: "Instead of the suite's own" },
  { value: "inherit", label: "Only the suite's own" },
] as const;

export function CaseForm(props: CaseFormProps) {
  const { one, at, count, written, onChange } = props;
  const set = (change: { [Key in keyof EditedCase]?: EditedCase[Key] | undefined }) =>
    onChange(having(one, change));
  const pointer = `cases[${at}]`;
  const text = (key: "title" | "expectedOutput" | "intent" | "scenario", label: string, hint?: ReactNode) => (
    <Field label={label} name={`${pointer}.${key}`} optional={key !== "title"} {...(hint && { hint })}>
      {(control) =>
        key === "title" ? (
          <Input
            {...control}
            autoComplete="off"
            value={one.title}
            onChange={(event) => onChange({ ...one, title: event.target.value })}
          />
        ) : (
          <Textarea
            {...control}
            rows={2}
            className="min-h-14"
            value={one[key] ?? ""}
            onChange={(event) => set({ [key]: event.target.value || undefined })}
          />
        )
      }
    </Field>
  );
  const apart = (["models", "advancedConfig", "import"] as const).filter((key) => one[key] !== undefined);
  return (
    <section aria-label="Case" data-testid="case-form" className="min-w-0">
      <fieldset disabled={props.readOnly} className="stack min-w-0 gap-5">
        <div className="flex items-center justify-between gap-2">
          <h2 className="min-w-0 truncate font-semibold text-base">
            Case {at + 1} of {count}
            {one.id && <code className="ml-2 font-normal text-code text-faint">{one.id}</code>}
          </h2>
          {!props.readOnly && (
            <ListButtons what="the case" at={at} count={count} onMove={props.onMove}>
              <IconButton label="Duplicate the case" onClick={props.onCopy}>
                <Copy aria-hidden="true" className="size-3.5" />
              </IconButton>
              <IconButton label="Delete the case" onClick={props.onRemove}>
                <Trash2 aria-hidden="true" className="size-3.5" />
              </IconButton>
            </ListButtons>
          )}
        </div>
        {text("title", "Title")}
        <div className="grid items-start gap-x-6 gap-y-3 sm:grid-cols-2">
          <div className="stack gap-2">
            <Checkbox
              label="Enabled"
              hint="Off, it keeps its history and is left out of runs."
              checked={one.disabled !== true}
              onChange={(event) => set({ disabled: event.target.checked ? undefined : true })}
            />
            <Checkbox
              label="Negative"
              hint="It passes when no tool is called."
              checked={one.isNegative === true}
              onChange={(event) => set({ isNegative: event.target.checked || undefined })}
            />
            <ExpectErrorFields
              value={one.expectToolError}
              pointer={`${pointer}.expectToolError`}
              hint="It passes when a tool refuses; other errors still fail it."
              onChange={(expectToolError) => set({ expectToolError })}
            />
            <Checkbox
              label="Go on after a failed check"
              hint="So that all of them are seen."
              checked={one.continueOnFail === true}
              onChange={(event) => set({ continueOnFail: event.target.checked || undefined })}
            />
          </div>
          <Field label="Repetitions" name={`${pointer}.iterations`}>
            {(control) => (
              <Input
                {...control}
                type="number"
                min={1}
                className="max-w-28"
                value={one.iterations ?? 1}
                onChange={({ target }) =>
                  set({ iterations: target.value === "1" ? undefined : target.valueAsNumber || 0 })
                }
              />
            )}
          </Field>
        </div>
        <StepsForm
          steps={one.steps}
          pointer={`${pointer}.steps`}
          written={written}
          onChange={(steps) => set({ steps })}
        />
        <fieldset className="stack min-w-0 gap-3">
          <legend className="mb-2 font-medium text-sm">Checks of the whole case</legend>
          {one.checks && (
            <Field label="They count" name={`${pointer}.checks.mode`}>
              {(control) => (
                <Select
                  {...control}
                  value={one.checks?.mode ?? "extend"}
                  options={modes}
                  // The values are those of the contract.
                  onChange={({ target }) =>
                    set({ checks: { list: one.checks?.list ?? [], mode: target.value as "extend" } })
                  }
                />
              )}
            </Field>
          )}
          <CheckList
            checks={one.checks?.list ?? []}
            pointer={`${pointer}.checks.list`}
            written={{ ...written, path: [...written.path, "checks", "list"] }}
            onChange={(list) =>
              set({
                checks: list.length === 0 ? undefined : { mode: one.checks?.mode ?? "extend", list },
              })
            }
          />
        </fieldset>
        <MatchFields
          value={one.matchOptions}
          pointer={`${pointer}.matchOptions`}
          usual="As the suite says"
          onChange={(matchOptions) => set({ matchOptions })}
        />
        {text("expectedOutput", "What a good answer says", "For a judge; no check compares it word by word.")}
        {text("intent", "What the case is for", "For people.")}
        {one.isNegative && text("scenario", "Why no tool should be called")}
        {apart.map((key) => (
          <div key={key} className="stack gap-1.5">
            <p className="font-medium text-sm">{apartWords[key]}</p>
            <WrittenPart {...written} path={[...written.path, key]} />
          </div>
        ))}
      </fieldset>
    </section>
  );
}

const apartWords = {
  models: "Models of its own",
  advancedConfig: "Settings of its own for the model",
  import: "Where it was brought from",
} as const;
