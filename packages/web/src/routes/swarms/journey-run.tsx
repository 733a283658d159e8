/** @module `/p/:pid/swarms/runs/:jrid`: a run, live while it goes on. `?session=` opens what was said in one of its sessions. */
import type { JourneyRunDetail } from "@fettle/contract/visitors";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { RotateCcw, Square } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useOperation } from "../../api/operation.ts";
import { EvidenceLink } from "../../features/findings/parts/evidence-link.tsx";
import { FindingCard } from "../../features/findings/parts/finding-card.tsx";
import { InsightsPanel } from "../../features/findings/parts/insights-panel.tsx";
import { useLiveTurns } from "../../features/swarms/live-session.ts";
import { RunChip } from "../../features/swarms/parts/run-chip.tsx";
import { RunFacts, RunHealth } from "../../features/swarms/parts/run-health.tsx";
import { Scorecard } from "../../features/swarms/parts/scorecard.tsx";
import { pagedQuery } from "../../features/swarms/queries.ts";
import { isRunning } from "../../features/swarms/run-words.ts";
import { Blocked } from "../../kit/blocked.tsx";
import { FormFailure } from "../../kit/form-failure.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { DeleteRun } from "../../kit/runs/delete-run.tsx";
import { useChange } from "../../kit/use-change.ts";
import { useWriteBlock } from "../../kit/use-link-state.ts";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageLink } from "../../pages/page-link.tsx";
import { pagePath } from "../../pages/pages.ts";
import { useSearchText } from "../../pages/use-search.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast } from "../../ui/toast.tsx";

/** Fetched by whoever opens a session, or launches again. */
const SessionView = lazy(async () => ({
  default: (await import("../../features/swarms/parts/session-view.tsx")).SessionView,
}));
const LaunchDialog = lazy(async () => ({
  default: (await import("../../features/swarms/parts/launch-dialog.tsx")).LaunchDialog,
}));

export function JourneyRunPage() {
  const { pid = "", jrid = "" } = useOpenPage().parameters;
  const query = useOperation("getJourneyRun", { projectId: pid, runId: jrid });
  const { data } = query;
  return (
    <PageFrame
      id="journey-run"
      width="full"
      title={data ? `${data.persona.name}: ${data.journeyName}` : "Journey run"}
      chip={data && <RunChip run={data} />}
      actions={data && <Actions key={data.id} run={data} />}
      about={
        data && (
          <PageLink page="journey-results" params={{ pid, jid: data.journeyId }} className="underline">
            All runs of {data.journeyName}
          </PageLink>
        )
      }
    >
      <Loaded query={query} what="the run">
        {(run) => <Contents key={run.id} run={run} />}
      </Loaded>
    </PageFrame>
  );
}

/** Those launched before it, the newest first. */
function useEarlier({ projectId, journeyId, createdAt }: JourneyRunDetail) {
  const { data } = useInfiniteQuery(pagedQuery("listJourneyRuns", { projectId, journeyId }));
  return (data?.pages ?? []).flatMap(({ items }) => items).filter((each) => each.createdAt < createdAt);
}

function Actions({ run }: { run: JourneyRunDetail }) {
  const { projectId: pid, id: jrid, journeyId } = run;
  const offline = useWriteBlock();
  const navigate = useNavigate();
  const [launching, setLaunching] = useState(false);
  const earlier = useEarlier(run);
  const cancel = useChange("cancelJourneyRun", () => toast("The run was cancelled"));
  if (isRunning(run)) {
    return (
      <div className="stack gap-2">
        <span>
          <Blocked reason={offline}>
            <Button
              busy={cancel.busy}
              icon={<Square aria-hidden="true" className="size-3.5" />}
              onClick={() => cancel.run({ projectId: pid, runId: jrid })}
            >
              Cancel the run
            </Button>
          </Blocked>
        </span>
        <FormFailure failure={cancel.failure} />
      </div>
    );
  }
  return (
    <>
      <Blocked reason={offline}>
        <Button
          icon={<RotateCcw aria-hidden="true" className="size-3.5" />}
          onClick={() => setLaunching(true)}
        >
          Launch again …
        </Button>
      </Blocked>
      {earlier.length > 0 && (
        <PageLink page="journey-compare" params={{ pid, jrid }} className={buttonClass()}>
          Compare …
        </PageLink>
      )}
      <DeleteRun
        operation="deleteJourneyRun"
        run={run}
        contents="Its sessions and transcripts"
        onDeleted={() => void navigate({ to: pagePath("journey-results", { pid, jid: journeyId }) })}
      />
      {launching && (
        <Suspense>
          <LaunchDialog
            projectId={pid}
            title={`Launch ${run.journeyName} again`}
            journeys={[{ id: journeyId, name: run.journeyName, persona: run.persona.name }]}
            onClose={() => setLaunching(false)}
            onLaunched={([next]) => {
              setLaunching(false);
              if (next) void navigate({ to: pagePath("journey-run", { pid, jrid: next.id }) });
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** So many points of a trend are read: each is a scorecard of its own. */
const trendRuns = 6;

function Contents({ run }: { run: JourneyRunDetail }) {
  const [selected, setSelected] = useSearchText("session");
  const live = useLiveTurns(run);
  const place = useRef<HTMLDivElement>(null);
  const session = run.attempts.find(({ id }) => id === selected);
  const earlier = useEarlier(run).filter((each) => !isRunning(each));
  useEffect(() => {
    if (selected !== "") place.current?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  return (
    <>
      <RunHealth run={run} selected={selected} onSelect={setSelected} />
      <div ref={place} className="scroll-mt-20">
        {session ? (
          <Suspense>
            <SessionView run={run} session={session} live={live[session.id] ?? []} />
          </Suspense>
        ) : (
          <p className="text-soft text-sm">Choose a session to read what was said in it.</p>
        )}
      </div>
      <Scorecard run={run} earlier={earlier.slice(0, trendRuns)} />
      <InsightsPanel
        envelope={isRunning(run) ? undefined : run.insights}
        card={(finding) => (
          <FindingCard
            key={finding.id}
            finding={finding}
            open={(evidence) => <EvidenceLink pid={run.projectId} evidence={evidence} of="swarms" />}
            actions={
              <PageLink page="swarm-findings" params={{ pid: run.projectId }} className={buttonClass()}>
                Over all waves, dismiss …
              </PageLink>
            }
          />
        )}
      />
      <Panel title="What was launched" about="Frozen when it began: later edits change nothing here.">
        <RunFacts run={run} />
      </Panel>
    </>
  );
}
