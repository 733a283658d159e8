/** @module A result over time. The table of runs below says the same in numbers. */
import type { ReactNode } from "react";
import { momentOf } from "../../lib/time.ts";
import type { Tone } from "../../ui/chip.tsx";
import { Panel } from "../../ui/panel.tsx";
import { type HistoryEntry, historyPoints } from "./history-points.ts";

const height = 120;
/** The drawing is as wide as its panel: on a narrow screen one made for a wide screen would have letters too small to read. */
const boxHere = () => ({ width: matchMedia("(width < 40rem)").matches ? 280 : 720, height });
const edge = { left: 34, top: 12, bottom: 22, right: 14 };

export interface HistoryChartProps {
  title: string;
  about: ReactNode;
  /** What is drawn, as in "Score of Bookshop". */
  label: string;
  unit?: string;
  entries: readonly HistoryEntry[];
  /** A height that divides good from bad. */
  border: number;
  by?: "time" | "turn";
  onOpen: (id: string) => void;
}

export function HistoryChart({
  title,
  about,
  label,
  unit = "",
  entries,
  border,
  by = "time",
  onOpen,
}: HistoryChartProps) {
  const box = boxHere();
  const points = historyPoints(entries, box, by);
  const [first, ...others] = points;
  const last = others.at(-1);
  if (!first || !last) return null;
  return (
    <Panel title={title} about={about}>
      <svg
        role="img"
        aria-label={`${label}, from ${first.value}${unit} on ${momentOf(first.at)} to ${last.value}${unit} on ${momentOf(last.at)}. The table below lists every run.`}
        viewBox={`0 0 ${box.width + edge.left + edge.right} ${box.height + edge.top + edge.bottom}`}
        className="h-auto w-full"
      >
        <g transform={`translate(${edge.left} ${edge.top})`}>
          {[...new Set([0, 50, border, 100])].map((mark) => (
            <g key={mark} transform={`translate(0 ${box.height - (mark / 100) * box.height})`}>
              <line
                x2={box.width}
                className="stroke-line"
                strokeDasharray={mark === border ? "4 4" : undefined}
              />
              {mark % 50 === 0 && (
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
          {points.map(({ id, x, y, value, word, at, tone }) => (
            // The table's links are the way by keyboard; this one is for the pointer.
            // biome-ignore lint/a11y/noStaticElementInteractions: see above
            <g
              key={id}
              transform={`translate(${x} ${y})`}
              onClick={() => onOpen(id)}
              className="cursor-pointer"
            >
              <title>{`${value}${unit}, ${word.toLowerCase()}, ${momentOf(at)}`}</title>
              <circle r="9" className="fill-transparent" />
              <Mark tone={tone} />
            </g>
          ))}
          <text y={box.height + 17} className="fill-faint text-xs">
            {momentOf(first.at)}
          </text>
          <text x={box.width} y={box.height + 17} textAnchor="end" className="fill-faint text-xs">
            {momentOf(last.at)}
          </text>
        </g>
      </svg>
    </Panel>
  );
}

/** A shape for each meaning, so that colour is not the only sign. */
function Mark({ tone }: { tone: Tone }) {
  if (tone === "good") return <circle r="3.5" className="fill-good-mark" />;
  if (tone === "bad") return <rect x="-3.5" y="-3.5" width="7" height="7" className="fill-bad-mark" />;
  return <path d="M0 -4.5 L4.5 3.5 L-4.5 3.5 Z" className="fill-warn-mark" />;
}
