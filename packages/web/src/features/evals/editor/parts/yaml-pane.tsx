/** @module The suite as YAML: line numbers, what is wrong at its line, and a way from a line to its case. */
import type { EvalSuiteFinding } from "@fettle/contract/evals";
import { CircleAlert } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { VisibleText } from "../../../../kit/visible-text.tsx";
import { goToLine, YamlText, yamlLineHeight } from "../../../../kit/yaml-text/yaml-text.tsx";

export interface YamlPaneProps {
  text: string;
  findings: readonly EvalSuiteFinding[];
  readOnly: boolean;
  /** The lines of what is chosen in the form. */
  shown: { line: number; endLine: number } | undefined;
  onText: (text: string) => void;
  /** The caret stands in this line. */
  onLine: (line: number) => void;
}

export function YamlPane({ text, findings, readOnly, shown, onText, onLine }: YamlPaneProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const marked = useMemo(() => new Set(findings.map(({ line }) => line)), [findings]);
  const first = shown?.line;
  useEffect(() => {
    // Whoever types in it knows where they are.
    if (first === undefined || !area.current || document.activeElement === area.current) return;
    area.current.scrollTop = Math.max(0, (first - 2) * yamlLineHeight);
  }, [first]);
  return (
    <section
      aria-label="YAML"
      data-testid="suite-yaml"
      className="flex h-[calc(100dvh-13rem)] min-h-96 min-w-0 flex-col gap-3"
    >
      <YamlText
        className="min-h-40 flex-1"
        aria-label="The suite as YAML"
        aria-invalid={findings.length > 0 ? true : undefined}
        area={area}
        text={text}
        marked={marked}
        shown={shown}
        readOnly={readOnly}
        onText={onText}
        onSelect={(event) => {
          const { value, selectionStart } = event.currentTarget;
          if (document.activeElement === event.currentTarget) {
            onLine(value.slice(0, selectionStart).split("\n").length);
          }
        }}
      />
      {findings.length > 0 && (
        <ul aria-label="Findings" className="grid max-h-52 shrink-0 gap-1.5 overflow-y-auto">
          {findings.map((finding) => (
            <li key={`${finding.line} ${finding.pointer} ${finding.code} ${finding.message}`}>
              <button
                type="button"
                data-testid="finding"
                data-code={finding.code}
                onClick={() =>
                  finding.line !== null && goToLine(area.current, finding.line, finding.column ?? 1)
                }
                className="flex w-full gap-2 rounded-control bg-bad-soft px-3 py-2 text-left text-sm hover:bg-hover"
              >
                <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-bad" />
                <span className="min-w-0">
                  <span className="font-medium text-bad">
                    {finding.line === null ? "The whole" : `Line ${finding.line}, column ${finding.column}`}
                  </span>{" "}
                  {finding.pointer !== "" && <code className="break-all text-code">{finding.pointer}</code>}{" "}
                  <VisibleText text={finding.message} />
                  <span className="block text-soft">
                    {finding.hint} <code className="text-code text-faint">{finding.code}</code>
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className="text-faint text-sm">Comments are read over, and gone once it is saved.</p>
    </section>
  );
}
