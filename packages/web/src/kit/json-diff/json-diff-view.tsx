/** @module Two JSON values side by side: only where they differ, and how much is the same. */
import { cx } from "../../lib/cx.ts";
import type { Json } from "../../lib/json-exact.ts";
import { Cell, HeadCell, Row, Table } from "../../ui/table.tsx";
import { pathText } from "../json-view/json-rows.ts";
import { VisibleText } from "../visible-text.tsx";
import { diffJson } from "./json-diff.ts";

export interface JsonDiffViewProps {
  label: string;
  before: Json;
  after: Json;
  beforeName: string;
  afterName: string;
}

export function JsonDiffView({ label, before, after, beforeName, afterName }: JsonDiffViewProps) {
  const { differences, same } = diffJson(before, after);
  return (
    <div data-testid="json-diff" data-count={differences.length} className="stack gap-2">
      {differences.length > 0 && (
        <Table label={label}>
          <thead>
            <tr>
              <HeadCell className="w-1/4 min-w-40">Setting</HeadCell>
              <HeadCell className="min-w-40">{beforeName}</HeadCell>
              <HeadCell className="min-w-40">{afterName}</HeadCell>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ path, before: left, after: right }) => (
              <Row key={JSON.stringify(path)} className="align-top">
                <Cell>
                  <code className="wrap-anywhere text-code">
                    {pathText(path).replace(/^\$\.?/, "") || "all"}
                  </code>
                </Cell>
                <Cell>
                  <JsonValueText value={left} tone="before" />
                </Cell>
                <Cell>
                  <JsonValueText value={right} tone="after" />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
      <p className="px-1 text-faint text-sm tabular-nums">
        {differences.length === 0
          ? "They are the same."
          : `${differences.length} ${differences.length === 1 ? "difference" : "differences"}; ${same} other ${same === 1 ? "value is" : "values are"} the same.`}
      </p>
    </div>
  );
}

/** A whole value as text: nothing is clipped, because what differs may be at its end. */
export function JsonValueText({ value, tone }: { value: Json | undefined; tone?: "before" | "after" }) {
  if (value === undefined) return <span className="text-sm text-soft">not set</span>;
  const text = typeof value === "string" && value !== "" ? value : JSON.stringify(value, null, 2);
  return (
    <code
      // What is longer than its box is scrolled by keyboard, too.
      tabIndex={/\n|.{200}/.test(text) ? 0 : undefined}
      className={cx(
        "block max-h-60 w-fit max-w-full overflow-auto whitespace-pre-wrap break-words rounded-[4px] text-code",
        tone === "before" && "bg-bad-soft px-1 text-bad",
        tone === "after" && "bg-good-soft px-1 text-good",
      )}
    >
      <VisibleText text={text} />
    </code>
  );
}
