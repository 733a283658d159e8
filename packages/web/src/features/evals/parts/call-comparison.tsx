/** @module What was to be called, and what was, side by side. */

import type { RecordedCall, TurnCalls } from "../../../kit/recorded/recording.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { cx } from "../../../lib/cx.ts";
import type { JsonObject } from "../../../lib/json-exact.ts";
import { Chip, type Tone } from "../../../ui/chip.tsx";
import { Cell, HeadCell, Row, Table } from "../../../ui/table.tsx";
import { type CallPair, callPairs } from "../expected-calls.ts";

const states: Record<CallPair["state"], { tone: Tone; word: string }> = {
  "as-expected": { tone: "good", word: "As expected" },
  "other-arguments": { tone: "bad", word: "Other arguments" },
  missing: { tone: "bad", word: "Never called" },
  beside: { tone: "neutral", word: "Not asked for" },
};

export interface CallComparisonProps {
  turns: readonly TurnCalls[];
  calls: readonly RecordedCall[];
}

export function CallComparison({ turns, calls }: CallComparisonProps) {
  const pairs = callPairs(turns, calls);
  if (pairs.length === 0) return <p className="text-soft text-sm">No tool was called, and none had to be.</p>;
  const anyExpected = pairs.some(({ expected }) => expected);
  return (
    <div className="stack gap-2">
      <h3 className="font-semibold">{anyExpected ? "Expected and made calls" : "Calls made"}</h3>
      <Table label="Calls">
        <thead>
          <tr>
            {anyExpected && <HeadCell className="w-1/2">Expected</HeadCell>}
            <HeadCell>Made</HeadCell>
          </tr>
        </thead>
        <tbody>
          {pairs.map((pair, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a recording never changes.
            <Row key={at} data-testid="call-pair" data-state={pair.state} className="align-top">
              {anyExpected && (
                <Cell>
                  <CallText call={pair.expected} />
                </Cell>
              )}
              <Cell>
                <span className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1.5">
                  <CallText call={pair.made} bad={pair.state === "other-arguments"} />
                  {anyExpected && <Chip tone={states[pair.state].tone}>{states[pair.state].word}</Chip>}
                </span>
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

interface CallTextProps {
  call: { toolName: string; arguments: JsonObject } | undefined;
  bad?: boolean;
}

function CallText({ call, bad = false }: CallTextProps) {
  if (!call) return <span className="text-faint text-sm">nothing</span>;
  return (
    <span className="grid min-w-0 gap-0.5">
      <code className="break-all font-medium text-code">
        <VisibleText text={call.toolName} />
      </code>
      <code
        className={cx(
          "block max-h-40 w-fit max-w-full overflow-auto whitespace-pre-wrap break-words rounded-[4px] text-code",
          bad ? "bg-bad-soft px-1 text-bad" : "text-soft",
        )}
      >
        <VisibleText text={JSON.stringify(call.arguments, null, 1).replaceAll(/\n\s*/g, " ")} />
      </code>
    </span>
  );
}
