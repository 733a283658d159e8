/** @module What visitors' sessions add up to, and which tools failed them. */
import type { ScenarioDetail, ScenarioMetrics, ScenarioUsage } from "@fettle/contract/visitors";
import { useOperation } from "../../../api/operation.ts";
import { textColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { cx } from "../../../lib/cx.ts";
import { percent } from "../scenario-words.ts";

export function Figures({ pid, scenario }: { pid: string; scenario: ScenarioDetail }) {
  const asked = { projectId: pid, scenarioId: scenario.id };
  // The service has none before the first session.
  const hasAny = { enabled: scenario.sessionCount > 0 };
  const metrics = useOperation("getUserTestingMetrics", asked, hasAny);
  const usage = useOperation("getUserTestingUsage", asked, hasAny);
  const strip = (
    <Strip
      live={scenario.liveSessionCount}
      sessions={scenario.sessionCount}
      metrics={scenario.sessionCount > 0 ? metrics.data : undefined}
    />
  );
  if (!hasAny.enabled) return strip;
  return (
    <div className="stack gap-4">
      {strip}
      <Loaded query={usage} what="which tools were used">
        {(used) => <UsedTools usage={used} />}
      </Loaded>
    </div>
  );
}

interface StripProps {
  live: number;
  sessions: number;
  metrics: ScenarioMetrics | undefined;
}

function Strip({ live, sessions, metrics }: StripProps) {
  const figures: [name: string, value: string, note?: string][] = [
    ["Live now", String(live), "with tries of your own"],
    [
      "Sessions",
      String(sessions),
      metrics?.truncated
        ? `figures of the latest ${metrics.analyzedCount}`
        : "begun, also where nothing was said",
    ],
    ...(metrics
      ? ([
          ["Messages", String(metrics.messages)],
          ["Finished", percent(metrics.completionRate)],
          [
            "Rated badly",
            metrics.feedback.count === 0
              ? "none"
              : `${metrics.feedback.negativeCount} of ${metrics.analyzedCount}`,
            metrics.feedback.count === 1 ? "1 rating" : `${metrics.feedback.count} ratings`,
          ],
          [
            "Calls that failed",
            percent(metrics.toolErrorRate),
            `${metrics.toolErrorCount} of ${metrics.toolCallCount}`,
          ],
          [
            "Answer, usually",
            metrics.latencyP50Ms === null ? "unknown" : `${Math.round(metrics.latencyP50Ms)} ms`,
            metrics.latencyP95Ms === null ? "" : `95 % within ${Math.round(metrics.latencyP95Ms)} ms`,
          ],
        ] satisfies [string, string, string?][])
      : []),
  ];
  return (
    <dl
      className={cx(
        "grid grid-cols-2 overflow-hidden rounded-panel border border-line bg-surface",
        metrics && "sm:grid-cols-4",
      )}
    >
      {figures.map(([name, value, note]) => (
        <div
          key={name}
          data-figure={name}
          className="-mr-px -mb-px border-line border-r border-b px-4 py-3 last:odd:col-span-2"
        >
          <dt className="text-faint text-sm">{name}</dt>
          <dd className="font-semibold text-lg tabular-nums">{value}</dd>
          {note && <dd className="text-faint text-sm">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

function UsedTools({ usage: { tools, scan } }: { usage: ScenarioUsage }) {
  if (tools.length === 0) return <p className="text-soft text-sm">No tool was called yet.</p>;
  return (
    <>
      <DataTable<ScenarioUsage["tools"][number]>
        caption="Tools that were used"
        columns={[
          {
            id: "tool",
            header: "Tool",
            cell: ({ name, server }) => (
              <span className="grid">
                <code className="break-words text-code">{name}</code>
                <span className="text-faint text-sm">{server}</span>
              </span>
            ),
          },
          textColumn("Sessions", ({ sessions }) => sessions, { className: "tabular-nums" }),
          textColumn("Calls", ({ calls }) => calls, { className: "tabular-nums" }),
          textColumn("Failed", ({ errors }) => errors, { className: "tabular-nums" }),
        ]}
        items={tools}
        keyOf={({ name, server }) => `${server}/${name}`}
        noun={["tool", "tools"]}
      />
      {scan.truncated && (
        <p className="text-faint text-sm">
          Of the latest {scan.analyzed} of {scan.total} sessions.
        </p>
      )}
    </>
  );
}
