/** @module The pass rates of the latest runs, as small as a word. */

const box = { width: 72, height: 20 };

/** Between 0 and 1, the oldest first. */
export function TrendLine({ rates }: { rates: readonly number[] }) {
  const points = rates.map((rate, at) => ({
    x: (at / (rates.length - 1)) * (box.width - 6) + 3,
    y: (1 - rate) * (box.height - 6) + 3,
  }));
  const last = points.at(-1);
  if (!last || points.length < 2) return null;
  const words = rates.map((rate) => `${Math.round(rate * 100)} %`).join(", ");
  return (
    <svg
      role="img"
      aria-label={`Pass rates, oldest first: ${words}`}
      viewBox={`0 0 ${box.width} ${box.height}`}
      className="h-5 w-18 shrink-0"
    >
      <title>{words}</title>
      <polyline
        points={points.map(({ x, y }) => `${x},${y}`).join(" ")}
        fill="none"
        strokeWidth="1.5"
        className="stroke-edge"
      />
      <circle cx={last.x} cy={last.y} r="2.5" className="fill-accent" />
    </svg>
  );
}
