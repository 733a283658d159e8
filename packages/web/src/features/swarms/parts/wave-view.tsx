/** @module What a wave showed beside its findings: how its launches went, what changed since the wave before, and the ways that sessions took. */
import type { WaveBaseline, WaveInsights, WavePath } from "@fettle/contract/visitors";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { percent } from "../../../lib/amounts.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import { many } from "../run-words.ts";

type Health = NonNullable<WaveInsights["insights"]["runHealth"]>["targets"][number];

/** Never among the findings: what stopped a launch says nothing of the server. */
export function WaveHealth({ targets }: { targets: readonly Health[] }) {
  return (
    <Panel title="How the launches went" about="Over all runs of the wave, target by target.">
      <DataTable<Health>
        caption="Targets"
        noun={["target", "targets"]}
        items={targets}
        keyOf={({ subjectId }) => subjectId}
        columns={[
          {
            id: "target",
            header: "Target",
            cell: ({ subjectLabel, subjectKind }) => (
              <span data-testid="wave-target" className="grid">
                <span className="break-words font-medium">{subjectLabel}</span>
                <span className="text-faint text-sm">
                  {subjectKind === "environment" ? "Environment" : "Client"}
                </span>
              </span>
            ),
          },
          { id: "sessions", header: "Sessions", cell: ({ attempted }) => <Count value={attempted} /> },
          { id: "done", header: "Done", cell: ({ succeeded }) => <Count value={succeeded} /> },
          { id: "failed", header: "Failed", cell: ({ failed }) => <Count value={failed} /> },
          {
            id: "limited",
            header: "Rate limited",
            wideOnly: true,
            cell: ({ rateLimited }) => <Count value={rateLimited} />,
          },
        ]}
      />
    </Panel>
  );
}

const Count = ({ value }: { value: number }) => <span className="tabular-nums">{value}</span>;

export function WaveChanges({ pid, baseline }: { pid: string; baseline: WaveBaseline | null }) {
  if (!baseline) return null;
  const { waveId, newFindingIds, recurringFindingIds, goneFindingIds } = baseline;
  return (
    <p data-testid="wave-changes" className="max-w-[75ch] text-soft">
      Since the wave{" "}
      <PageLink page="wave" params={{ pid, wid: waveId }} className="break-all underline">
        <VisibleText text={waveId} />
      </PageLink>
      : {many(newFindingIds.length, "problem")} came, {recurringFindingIds.length} stayed,{" "}
      {goneFindingIds.length} went.
    </p>
  );
}

export function WavePaths({ pid, discovery }: { pid: string; discovery: WaveInsights["discovery"] }) {
  if (!discovery || discovery.paths.length === 0) return null;
  return (
    <Panel
      title="The ways that sessions took"
      about={`What they have in common, without anything being looked for.${discovery.truncated ? " Only the most walked are shown." : ""}`}
    >
      <DataTable<WavePath>
        caption="Ways"
        noun={["way", "ways"]}
        items={discovery.paths}
        keyOf={({ journeyId, path }) => `${journeyId} ${path}`}
        columns={[
          {
            id: "path",
            header: "Tools called",
            cell: ({ path, journeyName, exampleSessionId }) => (
              <span className="grid">
                <SessionLink pid={pid} sessionId={exampleSessionId}>
                  {path ?? "No tool was called"}
                </SessionLink>
                <span className="break-words text-faint text-sm">{journeyName}</span>
              </span>
            ),
          },
          {
            id: "sessions",
            header: "Sessions",
            cell: ({ sessions, ofSessions }) => (
              <span className="tabular-nums">
                {sessions} of {ofSessions}
              </span>
            ),
          },
          {
            id: "goal",
            header: "Goal reached",
            cell: ({ goalRate }) =>
              goalRate === null ? (
                <Unknown reason="No session was judged." />
              ) : (
                <span className="tabular-nums">{percent(Math.round(goalRate * 1000) / 1000)}</span>
              ),
          },
          {
            id: "failed",
            header: "Failed calls",
            wideOnly: true,
            align: "end",
            cell: ({ failedCalls }) => <Count value={failedCalls} />,
          },
        ]}
      />
    </Panel>
  );
}

/** A session's name says which run it is of. */
function SessionLink({ pid, sessionId, children }: { pid: string; sessionId: string; children: string }) {
  const [, jrid] = /^synth_(jrn_[^_]+)_/.exec(sessionId) ?? [];
  const words = <VisibleText text={children} />;
  return jrid === undefined ? (
    words
  ) : (
    <PageLink
      page="journey-run"
      params={{ pid, jrid }}
      search={{ session: sessionId }}
      className="break-words font-medium hover:underline"
    >
      {words}
    </PageLink>
  );
}
