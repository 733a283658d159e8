/** @module `/p/:pid/evals/:suid/results`: a suite's runs, and launching the next. */
import type { EvalSuiteDetail } from "@fettle/contract/evals";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { GraduationCap } from "lucide-react";
import { CaseTable } from "../../features/evals/parts/case-table.tsx";
import { LaunchDialog } from "../../features/evals/parts/launch-dialog.tsx";
import { RunHistory } from "../../features/evals/parts/run-history.tsx";
import { RunTable } from "../../features/evals/parts/run-table.tsx";
import { SchedulePanel } from "../../features/evals/parts/schedule-panel.tsx";
import { suiteRunsQuery } from "../../features/evals/queries.ts";
import { startedPath } from "../../features/evals/started-path.ts";
import { PageList } from "../../pages/page-list.tsx";
import { pagePath } from "../../pages/pages.ts";
import { usePrimaryAction } from "../../pages/use-search.ts";
import { Button } from "../../ui/button.tsx";
import { SuiteFrame } from "../frames/suite-frame.tsx";

export function EvalResults() {
  return <SuiteFrame id="eval-results">{(suite) => <Results suite={suite} />}</SuiteFrame>;
}

function Results({ suite }: { suite: EvalSuiteDetail }) {
  const { projectId: pid, id: suid } = suite;
  const query = useInfiniteQuery(suiteRunsQuery(pid, suid));
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const [launching, setLaunching] = usePrimaryAction();
  const navigate = useNavigate();
  const open = (erid: string) => void navigate({ to: pagePath("eval-run", { pid, erid }) });
  return (
    <>
      <PageList
        id="eval-results"
        query={{ ...query, data: data && { items: data.pages.flatMap(({ items }) => items) } }}
        noun="runs"
        icon={GraduationCap}
      >
        {(runs) => (
          <>
            <RunHistory name={suite.name} runs={runs} more={hasNextPage} onOpen={open} />
            <RunTable runs={runs} more={hasNextPage} />
            {hasNextPage && (
              <span>
                <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  Show older runs
                </Button>
              </span>
            )}
          </>
        )}
      </PageList>
      <div className="stack gap-3">
        <h2 className="font-semibold text-lg">Cases</h2>
        <CaseTable projectId={pid} suiteId={suid} />
      </div>
      <SchedulePanel suite={suite} />
      {launching && (
        <LaunchDialog
          suite={suite}
          onClose={() => setLaunching(false)}
          onStarted={(started) => void navigate({ to: startedPath(pid, started) })}
        />
      )}
    </>
  );
}
