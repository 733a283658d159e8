/** @module Where an image is written: its name, and its blueprint with what is wrong at its line. */
import { useMemo, useRef } from "react";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { goToLine, YamlText } from "../../../kit/yaml-text/yaml-text.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import type { PlacedFault } from "../blueprint-places.ts";
import type { Lint } from "../use-lint.ts";

export interface ImageText {
  name: string;
  blueprint: string;
}

export interface BlueprintFieldsProps {
  text: ImageText;
  lint: Lint;
  readOnly?: boolean;
  /** In a dialog, where what is wrong has to stay in sight. */
  low?: boolean;
  onChange: (next: ImageText) => void;
}

export function BlueprintFields({
  text,
  lint,
  readOnly = false,
  low = false,
  onChange,
}: BlueprintFieldsProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const marked = useMemo(() => new Set(lint.faults.map(({ line }) => line)), [lint.faults]);
  return (
    <>
      <Field label="Name" name="name">
        {(control) => (
          <Input
            {...control}
            required
            readOnly={readOnly}
            value={text.name}
            autoComplete="off"
            className="max-w-96"
            onChange={(event) => onChange({ ...text, name: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Blueprint"
        name="blueprint"
        hint="YAML: what the image is made of (base), what is run when it is built (initialize), and what whoever works on it is told (maintenance, knowledge)."
      >
        {(control) => (
          <YamlText
            {...control}
            aria-invalid={lint.state === "faulty" || control["aria-invalid"] ? true : undefined}
            className={low ? "h-[min(32vh,20rem)] min-h-40" : "h-[min(60vh,28rem)] min-h-64"}
            area={area}
            text={text.blueprint}
            marked={marked}
            readOnly={readOnly}
            onText={(blueprint) => onChange({ ...text, blueprint })}
          />
        )}
      </Field>
      <LintView lint={lint} onLine={(line) => goToLine(area.current, line)} />
    </>
  );
}

function LintView({ lint, onLine }: { lint: Lint; onLine: (line: number) => void }) {
  const { state, faults, digest, failure } = lint;
  return (
    <div role="status" data-testid="blueprint-lint" data-state={state}>
      {state === "behind" && <p className="text-faint text-sm">Reading the blueprint …</p>}
      {state === "failed" && <Notice kind="warn">It could not be looked at: {failure}</Notice>}
      {state === "ok" && (
        <Notice kind="good">
          The blueprint reads well. Its base is pinned to{" "}
          <code className="break-all text-code">{digest}</code>; whether that is there, a build finds out.
        </Notice>
      )}
      {state === "faulty" && (
        <Notice
          kind="bad"
          title={faults.length === 1 ? "One thing is wrong" : `${faults.length} things are wrong`}
        >
          <ul aria-label="What is wrong" className="mt-1 grid gap-1">
            {faults.map((fault) => (
              <li key={`${fault.path} ${fault.message}`}>
                <FaultLine fault={fault} onLine={onLine} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

function FaultLine({
  fault: { path, message, line },
  onLine,
}: {
  fault: PlacedFault;
  onLine: (line: number) => void;
}) {
  return (
    <>
      {line === null ? (
        <span className="font-medium">The whole</span>
      ) : (
        <button
          type="button"
          className="rounded-[4px] font-medium text-bad underline underline-offset-2"
          onClick={() => onLine(line)}
        >
          Line {line}
        </button>
      )}{" "}
      {path !== "" && <code className="break-all text-code">{path}</code>} <VisibleText text={message} />
    </>
  );
}
