/** @module A call that was made again: how it came out, and what is different from before. */
import type { RanAgain } from "@fettle/contract/servers";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Cell, HeadCell, Row, Table } from "../../../ui/table.tsx";
import { OutcomeChip } from "./outcome-chip.tsx";

export function Comparison({ ran: { entry, comparison } }: { ran: RanAgain }) {
  const { before, isSame, changes, isCut } = comparison;
  return (
    <div data-testid="comparison" data-changes={changes.length} className="stack gap-2">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <OutcomeChip outcome={entry.outcome} />
        <span className="text-soft tabular-nums">{entry.durationMs} ms</span>
        <span className="min-w-0 break-words">
          <VisibleText text={entry.summary} />
        </span>
      </p>
      {!before && <Notice kind="info">There is no earlier result to compare with.</Notice>}
      {before && isSame && <Notice kind="good">The same as before.</Notice>}
      {changes.length > 0 && (
        <Table label="What is different">
          <thead>
            <tr>
              <HeadCell className="w-1/4 min-w-32">Where</HeadCell>
              <HeadCell className="min-w-40">Before</HeadCell>
              <HeadCell className="min-w-40">Now</HeadCell>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ path, before: was, after: is }) => (
              <Row key={path} className="align-top">
                <Cell>
                  <code className="wrap-anywhere text-code">{path || "all"}</code>
                </Cell>
                <ValueCell value={was} />
                <ValueCell value={is} />
              </Row>
            ))}
          </tbody>
        </Table>
      )}
      {isCut && <p className="text-faint text-sm">There is more, or a result was too long to be kept.</p>}
    </div>
  );
}

function ValueCell({ value }: { value: unknown }) {
  return (
    <Cell>
      {value === undefined ? (
        <span className="text-sm text-soft">not there</span>
      ) : (
        <code className="wrap-anywhere whitespace-pre-wrap text-code">
          <VisibleText text={typeof value === "string" ? value : JSON.stringify(value, null, 1)} />
        </code>
      )}
    </Cell>
  );
}
