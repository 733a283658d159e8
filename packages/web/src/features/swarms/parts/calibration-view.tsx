/** @module What a calibration came to: each measure with its interval, on one scale from the same to nothing in common. */
import type { Calibration, CalibrationReport } from "@fettle/contract/visitors";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import {
  distanceText,
  driverName,
  measureLabels,
  sourceName,
  spanText,
  valueText,
} from "../calibration-words.ts";
import { many } from "../run-words.ts";

type Measure = CalibrationReport["measures"][number];
type Distance = CalibrationReport["overall"];

export function CalibrationReportView({
  calibration,
  report,
}: {
  calibration: Calibration;
  report: CalibrationReport;
}) {
  const { overall, measures, sessions } = report;
  return (
    <Panel
      title={`Error ${distanceText(overall.error)}`}
      about={
        <>
          {spanText(overall)} by 95 % of drawings, over {many(sessions, "session")}. 0 is the same, 1 nothing
          in common; two samples of the real sessions themselves differ by {distanceText(overall.chance)}.
        </>
      }
    >
      <div data-testid="calibration-report" data-error={overall.error} className="stack gap-4">
        <DataTable<Measure>
          caption="Measures"
          noun={["measure", "measures"]}
          items={measures}
          keyOf={({ id }) => id}
          columns={[
            {
              id: "measure",
              header: "Measure",
              cell: ({ id }) => (
                <span title={measureLabels[id].hint} className="font-medium">
                  {measureLabels[id].label}
                </span>
              ),
            },
            {
              id: "error",
              header: "Error",
              cell: (measure) =>
                measure.error === null ? (
                  <Unknown reason="One of the two has nothing to be compared by." />
                ) : (
                  <span className="flex items-center gap-3">
                    <span className="w-10 font-medium tabular-nums">{distanceText(measure.error)}</span>
                    <Span distance={measure} />
                  </span>
                ),
            },
            {
              id: "span",
              header: "95 % of drawings",
              wideOnly: true,
              cell: (measure) => <span className="text-soft tabular-nums">{spanText(measure)}</span>,
            },
            { id: "real", header: "Real", align: "end", cell: ({ id, real }) => valueText(id, real) },
            {
              id: "simulated",
              header: "Simulated",
              align: "end",
              cell: ({ id, simulated }) => valueText(id, simulated),
            },
          ]}
        />
        <p className="text-soft text-sm">
          {driverName(calibration)} in the place of visitors of {sourceName(calibration.source)}, in{" "}
          {calibration.environmentName}, <Time at={calibration.endedAt ?? calibration.createdAt} />.
          {calibration.source.kind === "shipped" &&
            " The visitors of this set were written by hand: your own tell more."}
          {calibration.sessionsBroken > 0 &&
            ` ${many(calibration.sessionsBroken, "session")} broke off and ${calibration.sessionsBroken === 1 ? "is" : "are"} in no figure.`}
        </p>
      </div>
    </Panel>
  );
}

/** The interval as a bar, the error as its mark. */
function Span({ distance: { error, low, high } }: { distance: Distance }) {
  const at = (value: number | null) => `${(value ?? 0) * 100}`;
  return (
    <svg
      aria-hidden
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      className="h-2 w-24 shrink-0 max-sm:hidden"
    >
      <rect x="0" y="3" width="100" height="2" className="fill-line" />
      <rect x={at(low)} y="1" width={at((high ?? 0) - (low ?? 0))} height="6" className="fill-accent/40" />
      <rect x={at(error)} y="0" width="1.5" height="8" className="fill-accent" />
    </svg>
  );
}

const tones = { running: "info", completed: "good", failed: "bad", canceled: "neutral" } as const;

export function CalibrationTable({ items, more }: { items: readonly Calibration[]; more: boolean }) {
  const cancel = useChange("cancelCalibration");
  return (
    <DataTable<Calibration>
      caption="Calibrations"
      noun={["calibration", "calibrations"]}
      items={items}
      more={more}
      keyOf={({ id }) => id}
      columns={[
        {
          id: "visitors",
          header: "Real visitors",
          cell: ({ source, error, status }) => (
            <span className="break-words">
              <span className="font-medium">{sourceName(source)}</span>
              {error && status === "failed" && <span className="block text-bad-text text-sm">{error}</span>}
            </span>
          ),
        },
        {
          id: "state",
          header: "State",
          cell: ({ id, projectId, status, sessionsPlayed, sessionsTotal }) => (
            <span
              data-testid="calibration"
              data-status={status}
              className="flex flex-wrap items-center gap-2"
            >
              <Chip tone={tones[status]}>
                {status === "running" ? `${sessionsPlayed} of ${sessionsTotal} played` : status}
              </Chip>
              {status === "running" && (
                <Button
                  look="quiet"
                  busy={cancel.busy}
                  onClick={() => cancel.run({ projectId, calibrationId: id })}
                >
                  Cancel
                </Button>
              )}
            </span>
          ),
        },
        {
          id: "error",
          header: "Error",
          align: "end",
          cell: ({ report }) => (
            <span className="tabular-nums">{report ? distanceText(report.overall.error) : ""}</span>
          ),
        },
        { id: "driver", header: "Played by", wideOnly: true, cell: driverName },
        { id: "began", header: "Began", wideOnly: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}
