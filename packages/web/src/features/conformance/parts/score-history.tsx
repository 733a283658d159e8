/** @module The score of one server over time. The table of runs below says the same in numbers. */
import type { ConformanceRun } from "@fettle/contract";
import { useNavigate } from "@tanstack/react-router";
import { momentOf } from "../../../lib/time.ts";
import { Panel } from "../../../ui/panel.tsx";
import { stateOf } from "../run-words.ts";
import { scorePoints } from "../score-points.ts";

const box = { width: 720, height: 120 };
const edge = { left: 34, top: 12, bottom: 22, right: 14 };
const marks = [0, 50, 94, 100];

export interface ScoreHistoryProps {
  name: string;
  runs: readonly ConformanceRun[];
  /** More runs exist than are drawn. */
  more: boolean;
  addressOf: (run: ConformanceRun) => string;
}

export function ScoreHistory({ name, runs, more, addressOf }: ScoreHistoryProps) {
  const navigate = useNavigate();
  const points = scorePoints(runs, box);
  if (points.length < 2) return null;
  const first = points[0]!.run;
  const last = points.at(-1)!.run;
  return (
    <Panel
      title="Score over time"
      about={`${name}: ${points.length} scored ${more ? "of the runs below, older ones exist" : "runs"}. Up to 94 means that something failed or could not run.`}
    >
      <svg
        role="img"
        aria-label={`Score of ${name}, from ${first.score} on ${momentOf(first.createdAt)} to ${last.score} on ${momentOf(last.createdAt)}. The table below lists every run.`}
        viewBox={`0 0 ${box.width + edge.left + edge.right} ${box.height + edge.top + edge.bottom}`}
        className="h-auto w-full"
      >
        <g transform={`translate(${edge.left} ${edge.top})`}>
          {marks.map((mark) => (
            <g key={mark} transform={`translate(0 ${box.height - (mark / 100) * box.height})`}>
              <line
                x2={box.width}
                className="stroke-line"
                strokeDasharray={mark === 94 ? "4 4" : undefined}
              />
              {mark !== 94 && (
                <text x={-8} dy="0.32em" textAnchor="end" className="fill-faint text-xs">
                  {mark}
                </text>
              )}
            </g>
          ))}
          <polyline
            points={points.map(({ x, y }) => `${x},${y}`).join(" ")}
            fill="none"
            strokeWidth="1.5"
            className="stroke-accent"
          />
          {points.map(({ run, x, y }) => (
            // The table's links are the way by keyboard; this one is for the pointer.
            // biome-ignore lint/a11y/noStaticElementInteractions: see above
            <g
              key={run.id}
              transform={`translate(${x} ${y})`}
              onClick={() => void navigate({ to: addressOf(run) })}
              className="cursor-pointer"
            >
              <title>{`${run.score}, ${stateOf(run).word.toLowerCase()}, ${momentOf(run.createdAt)}`}</title>
              <circle r="9" className="fill-transparent" />
              <Mark run={run} />
            </g>
          ))}
          <text y={box.height + 17} className="fill-faint text-xs">
            {momentOf(first.createdAt)}
          </text>
          <text x={box.width} y={box.height + 17} textAnchor="end" className="fill-faint text-xs">
            {momentOf(last.createdAt)}
          </text>
        </g>
      </svg>
    </Panel>
  );
}

/** A shape for each outcome, so that colour is not the only sign. */
function Mark({ run: { outcome } }: { run: ConformanceRun }) {
  if (outcome === "passed") return <circle r="3.5" className="fill-good-mark" />;
  if (outcome === "failed") return <rect x="-3.5" y="-3.5" width="7" height="7" className="fill-bad-mark" />;
  return <path d="M0 -4.5 L4.5 3.5 L-4.5 3.5 Z" className="fill-warn-mark" />;
}
