/** @module `/p/:pid/conformance/:rid`: every check of a run, with what was on the wire. */
import type { ConformanceRun, ConformanceSuite } from "@fettle/contract";
import { Square } from "lucide-react";
import { useOperation } from "../api/operation.ts";
import { CheckList } from "../features/conformance/parts/check-list.tsx";
import { RunState } from "../features/conformance/parts/run-state.tsx";
import { RunSummary } from "../features/conformance/parts/run-summary.tsx";
import { isOpen, subjectOf, suiteNames } from "../features/conformance/run-words.ts";
import { Blocked } from "../kit/blocked.tsx";
import { useCommandFacts } from "../kit/command-facts.ts";
import { FormFailure } from "../kit/form-failure.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { useChange } from "../kit/use-change.ts";
import { useWriteBlock } from "../kit/use-link-state.ts";
import { useOpenPage } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { useSearchText } from "../pages/use-search.ts";
import { Button } from "../ui/button.tsx";
import { Choice } from "../ui/choice.tsx";

export function ConformanceRunPage() {
  const { pid = "", rid = "" } = useOpenPage().parameters;
  const query = useOperation("getConformanceRun", { projectId: pid, runId: rid });
  const servers = useOperation("listProjectServers", { projectId: pid }).data?.items;
  const { serverId, target } = query.data ?? {};
  useCommandFacts({ address: servers?.find(({ id }) => id === serverId)?.url ?? target?.serverUrl });
  return (
    <PageFrame
      id="conformance-run"
      title={query.data ? `Conformance of ${subjectOf(query.data, servers)}` : "Conformance run"}
      chip={query.data && <RunState run={query.data} />}
    >
      <Loaded query={query} what="the run">
        {(run) => (
          <>
            {isOpen(run) && <Stop run={run} />}
            <RunSummary run={run} />
            <Suites run={run} />
          </>
        )}
      </Loaded>
    </PageFrame>
  );
}

function Stop({ run }: { run: ConformanceRun }) {
  const offline = useWriteBlock();
  const cancel = useChange("cancelConformanceRun");
  return (
    <div className="stack justify-items-start gap-2">
      <Blocked reason={offline}>
        <Button
          busy={cancel.busy}
          icon={<Square aria-hidden="true" className="size-3.5" />}
          onClick={() => cancel.run({ projectId: run.projectId, runId: run.id })}
        >
          Stop the run
        </Button>
      </Blocked>
      <FormFailure failure={cancel.failure} />
    </div>
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
