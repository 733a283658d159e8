/** @module How often a problem showed, run by run: one bar each, of those that could have shown it; the same as a table beside. */
import type { ProjectFindingDetail } from "@fettle/contract/insights";
import { Time } from "../../../ui/time.tsx";

type Point = ProjectFindingDetail["trend"][number];

const box = { bar: 14, gap: 4, height: 64 };

export function TrendBars({ trend }: { trend: readonly Point[] }) {
  const width = Math.max(1, trend.length) * (box.bar + box.gap);
  const words = trend.map(({ count, exercised }) => `${count} of ${exercised}`).join(", ");
  return (
    <figure className="stack gap-2">
      <svg
        role="img"
        aria-label={`How often it showed, oldest first: ${words}`}
        viewBox={`0 0 ${width} ${box.height + 2}`}
        className="h-20 max-w-full self-start"
      >
        {trend.map(({ scope, count, exercised }, at) => {
          const share = exercised === 0 ? 0 : Math.min(1, count / exercised);
          const x = at * (box.bar + box.gap);
          const tall = Math.max(count > 0 ? 3 : 0, share * box.height);
          return (
            <g key={`${scope.kind} ${scope.id}`}>
              <title>{`${count} of ${exercised}`}</title>
              <rect x={x} y={0} width={box.bar} height={box.height} className="fill-selected" rx="2" />
              <rect
                x={x}
                y={box.height - tall}
                width={box.bar}
                height={tall}
                className="fill-bad-mark"
                rx="2"
              />
            </g>
          );
        })}
      </svg>
      <details className="text-sm">
        <summary className="w-fit text-faint">As a table</summary>
        <table className="mt-2 text-left tabular-nums">
          <thead className="text-faint">
            <tr>
              <th className="pr-6 font-normal">When</th>
              <th className="pr-6 font-normal">Showed it</th>
              <th className="font-normal">Could have</th>
            </tr>
          </thead>
          <tbody>
            {trend.map(({ scope, at, count, exercised }) => (
              <tr key={`${scope.kind} ${scope.id}`}>
                <td className="pr-6">
                  <Time at={at} />
                </td>
                <td className="pr-6">{count}</td>
                <td>{exercised}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
