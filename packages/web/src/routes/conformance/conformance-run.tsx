/** @module `/p/:pid/conformance/:rid`: every check of a run, with what was on the wire. */
import type { ConformanceRun, ConformanceSuite } from "@fettle/contract/servers";
import { useNavigate } from "@tanstack/react-router";
import { useOperation } from "../../api/operation.ts";
import { CheckList } from "../../features/conformance/parts/check-list.tsx";
import { RunActions } from "../../features/conformance/parts/run-actions.tsx";
import { RunState } from "../../features/conformance/parts/run-state.tsx";
import { RunSummary } from "../../features/conformance/parts/run-summary.tsx";
import { TurnedChecks } from "../../features/conformance/parts/turned-checks.tsx";
import { isOpen, subjectOf, suiteNames } from "../../features/conformance/run-words.ts";
import { useCommandFacts } from "../../kit/command-facts.ts";
import { Loaded } from "../../kit/loaded.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { pagePath } from "../../pages/pages.ts";
import { useSearchText } from "../../pages/use-search.ts";
import { Choice } from "../../ui/choice.tsx";

export function ConformanceRunPage() {
  const { pid = "", rid = "" } = useOpenPage().parameters;
  const query = useOperation("getConformanceRun", { projectId: pid, runId: rid });
  const servers = useOperation("listProjectServers", { projectId: pid }).data?.items;
  const { serverId, target } = query.data ?? {};
  const navigate = useNavigate();
  useCommandFacts({ address: servers?.find(({ id }) => id === serverId)?.url ?? target?.serverUrl });
  return (
    <PageFrame
      id="conformance-run"
      title={query.data ? `Conformance of ${subjectOf(query.data, servers)}` : "Conformance run"}
      chip={query.data && <RunState run={query.data} />}
      actions={
        query.data && (
          <RunActions
            run={query.data}
            onStarted={(id) => void navigate({ to: pagePath("conformance-run", { pid, rid: id }) })}
            onDeleted={() => void navigate({ to: pagePath("conformance", { pid }) })}
          />
        )
      }
    >
      <Loaded query={query} what="the run">
        {(run) => (
          <>
            <RunSummary run={run} />
            {!isOpen(run) && run.serverId !== null && <TurnedChecks run={run} />}
            <Suites run={run} />
          </>
        )}
      </Loaded>
    </PageFrame>
  );
}

function wordOf({ status, score, nothingToTest }: ConformanceRun["reports"][number]): string {
  if (status !== "reported") return status === "missing" ? "no report" : "waiting";
  return nothingToTest ? "nothing to test" : String(score ?? "not scored");
}

function Suites({ run }: { run: ConformanceRun }) {
  const [wanted, setWanted] = useSearchText("suite");
  const open = run.reports.find(({ suiteKind }) => suiteKind === wanted) ?? run.reports[0];
  if (!open) return null;
  const options = run.reports.map((report) => ({
    value: report.suiteKind,
    label: `${suiteNames[report.suiteKind]} · ${wordOf(report)}`,
  }));
  return (
    <section aria-label="Suites" className="stack gap-4">
      <Choice as="segments" label="Suite" options={options} value={open.suiteKind} onChange={setWanted} />
      {open.hasReport ? (
        <Report key={open.suiteKind} run={run} suiteKind={open.suiteKind} />
      ) : (
        <p className="text-soft">
          {isOpen(run)
            ? "This suite has not reported yet."
            : "This suite brought no report. It counts as one check that could not run."}
        </p>
      )}
    </section>
  );
}

function Report({ run, suiteKind }: { run: ConformanceRun; suiteKind: ConformanceSuite }) {
  const query = useOperation("getConformanceSuiteReport", {
    projectId: run.projectId,
    runId: run.id,
    suiteKind,
  });
  return (
    <Loaded query={query} what="the report">
      {(report) => <CheckList report={report} />}
    </Loaded>
  );
}
