/** @module The steps of a case: what is said, what is called, and what must have come of it by then. */
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { CheckFields } from "../../../../kit/checks/check-fields.tsx";
import { asKind, checkKinds } from "../../../../kit/checks/check-kinds.ts";
import { JsonField } from "../../../../kit/checks/json-field.tsx";
import { ListButtons } from "../../../../kit/schema-form/list-buttons.tsx";
import { moved } from "../../../../lib/moved.ts";
import { Button } from "../../../../ui/button.tsx";
import { Field } from "../../../../ui/field.tsx";
import { Input } from "../../../../ui/input.tsx";
import { Textarea } from "../../../../ui/textarea.tsx";
import { type EditedStep, freshStepId, having } from "../suite-draft.ts";
import { ExpectErrorFields } from "./expect-error-fields.tsx";
import { type Written, WrittenPart } from "./written-part.tsx";

export interface StepsFormProps {
  steps: readonly EditedStep[];
  /** Where they stand, as findings name it: `cases[0].steps`. */
  pointer: string;
  written: Written;
  onChange: (steps: EditedStep[]) => void;
}

const words: Record<EditedStep["kind"], string> = {
  prompt: "Message",
  toolCall: "Direct call",
  interact: "Action in a view",
  assert: "Check",
};

type NewStep = { label: string; wish: string; step: (id: string) => EditedStep };

const additions: readonly NewStep[] = [
  { label: "Message", wish: "ask", step: (id) => ({ id, kind: "prompt", prompt: "" }) },
  {
    label: "Expected call",
    wish: "called",
    step: (id) => ({ id, kind: "assert", assertion: asKind("toolCalledWith") }),
  },
  {
    label: "Check",
    wish: "check",
    step: (id) => ({ id, kind: "assert", assertion: asKind("responseContains") }),
  },
  {
    label: "Direct call",
    wish: "call",
    step: (id) => ({ id, kind: "toolCall", serverName: "", toolName: "", arguments: {} }),
  },
];

export function StepsForm({ steps, pointer, written, onChange }: StepsFormProps) {
  return (
    <fieldset className="stack min-w-0 gap-3">
      <legend className="mb-2 font-medium text-sm">Steps</legend>
      <ol className="stack gap-3">
        {steps.map((step, at) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a step's id may be typed anew, and two may have the same for a while.
            key={at}
            data-testid="edited-step"
            className="stack gap-3 rounded-control border border-line p-3"
          >
            <div className="flex items-center justify-between gap-2">
              <span className="text-sm">
                <span className="text-faint tabular-nums">{at + 1}</span>{" "}
                <span className="font-medium">{titleOf(step)}</span>
              </span>
              <ListButtons
                what={`step ${at + 1}`}
                at={at}
                count={steps.length}
                onMove={(to) => onChange(moved(steps, at, to))}
                onRemove={() => onChange(steps.toSpliced(at, 1))}
              />
            </div>
            <StepFields
              step={step}
              pointer={`${pointer}[${at}]`}
              written={{ ...written, path: [...written.path, "steps", at] }}
              onChange={(next) => onChange(steps.with(at, next))}
            />
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        {additions.map(({ label, wish, step }) => (
          <Button
            key={label}
            icon={<Plus aria-hidden="true" className="size-3.5" />}
            onClick={() => onChange([...steps, step(freshStepId(steps, wish))])}
          >
            {label}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}

function titleOf(step: EditedStep): string {
  if (step.kind !== "assert") return words[step.kind];
  return checkKinds[String(step.assertion.type)]?.label ?? words.assert;
}

interface StepFieldsProps {
  step: EditedStep;
  pointer: string;
  written: Written;
  onChange: (step: EditedStep) => void;
}

function StepFields({ step, pointer, written, onChange }: StepFieldsProps): ReactNode {
  switch (step.kind) {
    case "prompt":
      return (
        <div className="stack gap-3">
          <Field label="What somebody says" name={`${pointer}.prompt`}>
            {(control) => (
              <Textarea
                {...control}
                rows={2}
                className="min-h-14"
                value={step.prompt}
                onChange={(event) => onChange({ ...step, prompt: event.target.value })}
              />
            )}
          </Field>
          <ExpectErrorFields
            value={step.expectToolError}
            pointer={`${pointer}.expectToolError`}
            hint="A tool must refuse before the next message."
            onChange={(expectToolError) => onChange(having(step, { expectToolError }))}
          />
        </div>
      );
    case "toolCall":
      return (
        <div className="stack gap-3">
          <div className="grid gap-3 sm:grid-cols-2">
            {(["serverName", "toolName"] as const).map((key) => (
              <Field key={key} label={key === "toolName" ? "Tool" : "Server"} name={`${pointer}.${key}`}>
                {(control) => (
                  <Input
                    {...control}
                    autoComplete="off"
                    value={step[key]}
                    onChange={(event) => onChange({ ...step, [key]: event.target.value })}
                  />
                )}
              </Field>
            ))}
          </div>
          <JsonField
            label="Arguments, as JSON"
            name={`${pointer}.arguments`}
            value={step.arguments}
            // A text that is no object yet is held as it is, and refused by the check.
            onChange={(value) => onChange({ ...step, arguments: value as typeof step.arguments })}
          />
          <ExpectErrorFields
            value={step.expectToolError}
            pointer={`${pointer}.expectToolError`}
            hint="The tool must refuse this call."
            onChange={(expectToolError) => onChange(having(step, { expectToolError }))}
          />
        </div>
      );
    case "assert":
      return (
        <CheckFields
          check={step.assertion}
          pointer={`${pointer}.assertion`}
          otherwise={<WrittenPart {...written} />}
          onChange={(assertion) => onChange({ ...step, assertion })}
        />
      );
    case "interact":
      return <WrittenPart {...written} />;
  }
}
