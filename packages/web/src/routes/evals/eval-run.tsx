/** @module `/p/:pid/evals/runs/:erid`: a run, live while it goes on: failures first, and why. */
import type { EvalRunDetail } from "@fettle/contract/evals";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useRef } from "react";
import { useOperation } from "../../api/operation.ts";
import {
  type CaseRow,
  caseRows,
  firstPlace,
  type Place,
  placeText,
  progressOf,
  readPlace,
} from "../../features/evals/matrix.ts";
import { CaseMatrix } from "../../features/evals/parts/case-matrix.tsx";
import { IterationView } from "../../features/evals/parts/iteration-view.tsx";
import { RunActions } from "../../features/evals/parts/run-actions.tsx";
import { RunChip } from "../../features/evals/parts/run-chip.tsx";
import { RunFacts, RunVerdict } from "../../features/evals/parts/run-verdict.tsx";
import { placeQuery, repetitionQuery } from "../../features/evals/queries.ts";
import { isOpen } from "../../features/evals/run-words.ts";
import { startedPath } from "../../features/evals/started-path.ts";
import { EvidenceLink } from "../../features/findings/parts/evidence-link.tsx";
import { FindingCard } from "../../features/findings/parts/finding-card.tsx";
import { InsightsPanel } from "../../features/findings/parts/insights-panel.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { useChange } from "../../kit/use-change.ts";
import { useOpenPage, usePlace } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageLink } from "../../pages/page-link.tsx";
import { pagePath } from "../../pages/pages.ts";
import { useSearchText } from "../../pages/use-search.ts";
import { buttonClass } from "../../ui/button.tsx";

/** They stand below all cases. */
const GatePanel = lazy(async () => ({
  default: (await import("../../features/evals/parts/gate-panel.tsx")).GatePanel,
}));
const JudgePanel = lazy(async () => ({
  default: (await import("../../features/evals/parts/judge-panel.tsx")).JudgePanel,
}));

export function EvalRunPage() {
  const { pid = "", erid = "" } = useOpenPage().parameters;
  const query = useOperation("getEvalRun", { projectId: pid, runId: erid });
  const { data } = query;
  return (
    <PageFrame
      id="eval-run"
      width="full"
      title={data ? `Run ${data.runNumber} of ${data.suiteName}` : "Eval run"}
      chip={data && <RunChip run={data} />}
      actions={data && <Actions key={data.id} run={data} />}
      about={
        data && (
          <PageLink page="eval-results" params={{ pid, suid: data.suiteId }} className="underline">
            All runs of {data.suiteName}
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

function useMatrix({ projectId, id: runId }: EvalRunDetail) {
  const query = useOperation("getEvalRunMatrix", { projectId, runId });
  const rows = useMemo(() => (query.data ? caseRows(query.data) : []), [query.data]);
  return { query, rows };
}

function Actions({ run }: { run: EvalRunDetail }) {
  const { projectId: pid, id: runId } = run;
  const navigate = useNavigate();
  const failing = useMatrix(run).rows.filter(({ state }) => state !== "passed");
  return (
    <>
      <RunActions
        run={run}
        notPassed={[...new Set(failing.map(({ caseKey }) => caseKey))]}
        onStarted={(started) => void navigate({ to: startedPath(pid, started) })}
        onDeleted={() => void navigate({ to: pagePath("eval-results", { pid, suid: run.suiteId }) })}
      />
      {!isOpen(run) && run.runNumber > 1 && (
        <PageLink page="eval-compare" params={{ pid, erid: runId }} className={buttonClass()}>
          Compare …
        </PageLink>
      )}
      {run.runGroupId?.startsWith("rgr_") && (
        <PageLink page="eval-run-group" params={{ pid, egid: run.runGroupId }} className={buttonClass()}>
          All targets
        </PageLink>
      )}
    </>
  );
}

function Contents({ run }: { run: EvalRunDetail }) {
  const { project } = usePlace();
  const { query, rows } = useMatrix(run);
  const told = isOpen(run) && rows.length > 0 ? { ...run, progress: progressOf(rows) } : run;
  return (
    <>
      <RunVerdict run={told} />
      <Loaded query={query} what="the cases">
        {() => <Cases run={run} rows={rows} />}
      </Loaded>
      <RunInsights run={run} />
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <RunFacts run={told} />
        {!isOpen(run) && (
          <div className="stack gap-6">
            <Suspense>
              <GatePanel run={run} role={project?.role} />
              <JudgePanel run={run} />
            </Suspense>
          </div>
        )}
      </div>
    </>
  );
}

function RunInsights({ run }: { run: EvalRunDetail }) {
  const { projectId: pid, id: runId, insights } = run;
  const ask = useChange("requestEvalRunInsights");
  const cancel = useChange("cancelEvalRunInsights");
  const isMade = insights?.status === "completed";
  return (
    <InsightsPanel
      envelope={isOpen(run) ? undefined : insights}
      ask={{ ...ask, run: () => ask.run({ projectId: pid, runId, body: { force: isMade } }) }}
      cancel={{ ...cancel, run: () => cancel.run({ projectId: pid, runId }) }}
      card={(finding) => (
        <FindingCard
          key={finding.id}
          finding={finding}
          open={(evidence) => <EvidenceLink pid={pid} evidence={evidence} of={{ runId }} />}
          actions={
            <PageLink
              page="finding"
              params={{ pid, fam: run.suiteId, fid: finding.id }}
              className={buttonClass()}
            >
              Over time, dismiss …
            </PageLink>
          }
        />
      )}
    />
  );
}

function Cases({ run, rows }: { run: EvalRunDetail; rows: readonly CaseRow[] }) {
  const [at, setAt] = useSearchText("at");
  const place = useRef<HTMLDivElement>(null);
  const one = useRef<HTMLDivElement>(null);
  const isChosen = useRef(false);
  // A finding's evidence knows the repetition by its id alone.
  const [, iterationId = ""] = /^iteration:(.+)$/.exec(at) ?? [];
  const led = useQuery({
    ...placeQuery({ projectId: run.projectId, runId: run.id }, iterationId),
    enabled: iterationId !== "",
  }).data;
  // The findings stand further down, and that is where one came from.
  useEffect(() => {
    if (led) place.current?.scrollIntoView({ block: "start" });
  }, [led]);
  // After the list has brought its own cell into view.
  useEffect(() => {
    if (at !== "" && isChosen.current) showBelow(place.current, one.current);
    isChosen.current = false;
  }, [at]);
  // Without a choice the first is shown, which is what failed: nobody has to look for it.
  const selected = readPlace(at, rows) ?? led ?? (rows[0] && firstPlace(rows[0]));
  return (
    <div
      ref={place}
      className="grid scroll-mt-16 items-start gap-6 lg:grid-cols-[minmax(19rem,26rem)_minmax(0,1fr)]"
    >
      <CaseMatrix
        rows={rows}
        selected={selected}
        onSelect={(chosen) => {
          isChosen.current = true;
          setAt(placeText(chosen, rows));
        }}
      />
      <div ref={one} className="min-w-0 scroll-mt-16 max-lg:min-h-dvh">
        {selected && <One key={placeText(selected, rows)} run={run} place={selected} />}
      </div>
    </div>
  );
}

/** On a narrow screen it stands under the list, out of sight of whoever chose it there. */
function showBelow(list: HTMLElement | null, one: HTMLElement | null): void {
  if (list && one && one.getBoundingClientRect().left <= list.getBoundingClientRect().left) {
    one.scrollIntoView({ block: "start" });
  }
}

function One({ run, place }: { run: EvalRunDetail; place: Place }) {
  const query = useQuery(repetitionQuery({ projectId: run.projectId, runId: run.id }, place));
  return (
    <Loaded query={query} what="the repetition">
      {(iteration) =>
        iteration && (
          <IterationView
            projectId={run.projectId}
            iteration={iteration}
            isRules={run.modelClass === "rules"}
            judges={run.judges}
          />
        )
      }
    </Loaded>
  );
}
