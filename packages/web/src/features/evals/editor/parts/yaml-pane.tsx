/** @module The suite as YAML: line numbers, what is wrong at its line, and a way from a line to its case. */
import type { EvalSuiteFinding } from "@fettle/contract";
import { CircleAlert } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { VisibleText } from "../../../../kit/visible-text.tsx";
import { cx } from "../../../../lib/cx.ts";

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

const lineHeight = 20;

export function YamlPane({ text, findings, readOnly, shown, onText, onLine }: YamlPaneProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  const count = useMemo(() => text.split("\n").length, [text]);
  const marked = useMemo(() => new Set(findings.map(({ line }) => line)), [findings]);
  const first = shown?.line;
  useEffect(() => {
    // Whoever types in it knows where they are.
    if (first === undefined || !area.current || document.activeElement === area.current) return;
    area.current.scrollTop = Math.max(0, (first - 2) * lineHeight);
  }, [first]);
  const go = ({ line, column }: EvalSuiteFinding) => {
    if (!area.current || line === null) return;
    const before = text.split("\n").slice(0, line - 1);
    const at = before.reduce((sum, each) => sum + each.length + 1, 0) + (column ?? 1) - 1;
    area.current.focus();
    area.current.setSelectionRange(at, at);
    area.current.scrollTop = Math.max(0, (line - 4) * lineHeight);
  };
  return (
    <section
      aria-label="YAML"
      data-testid="suite-yaml"
      className="flex h-[calc(100dvh-13rem)] min-h-96 min-w-0 flex-col gap-3"
    >
      <div className="flex min-h-40 flex-1 overflow-hidden rounded-control border border-edge bg-surface font-mono text-code leading-5 focus-within:border-ring">
        <div
          ref={gutter}
          aria-hidden="true"
          className="shrink-0 select-none overflow-hidden border-line border-r bg-sunken py-2 text-right text-faint tabular-nums"
        >
          {Array.from({ length: count }, (_, at) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number.
              key={at}
              className={cx(
                "h-5 px-2",
                marked.has(at + 1) && "bg-bad-soft font-semibold text-bad",
                shown &&
                  at + 1 >= shown.line &&
                  at + 1 <= shown.endLine &&
                  !marked.has(at + 1) &&
                  "bg-selected text-soft",
              )}
            >
              {at + 1}
            </div>
          ))}
        </div>
        <textarea
          ref={area}
          aria-label="The suite as YAML"
          aria-invalid={findings.length > 0 ? true : undefined}
          value={text}
          readOnly={readOnly}
          wrap="off"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          className="min-w-0 flex-1 resize-none overflow-auto bg-transparent px-3 py-2 leading-5 outline-none"
          onChange={(event) => onText(event.target.value)}
          onScroll={(event) => {
            if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop;
          }}
          onSelect={(event) => {
            const { value, selectionStart } = event.currentTarget;
            if (document.activeElement === event.currentTarget) {
              onLine(value.slice(0, selectionStart).split("\n").length);
            }
          }}
        />
      </div>
      {findings.length > 0 && (
        <ul aria-label="Findings" className="grid max-h-52 shrink-0 gap-1.5 overflow-y-auto">
          {findings.map((finding) => (
            <li key={`${finding.line} ${finding.pointer} ${finding.code} ${finding.message}`}>
              <button
                type="button"
                data-testid="finding"
                data-code={finding.code}
                onClick={() => go(finding)}
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
