/** @module `/p/:pid/evals/runs/:erid/compare`: a run beside an earlier one of its suite. */
import type { EvalRunDetail } from "@fettle/contract/evals";
import { useInfiniteQuery } from "@tanstack/react-query";
import { GitCompareArrows } from "lucide-react";
import { useOperation } from "../../api/operation.ts";
import { CompareView } from "../../features/evals/parts/compare-view.tsx";
import { suiteRunsQuery } from "../../features/evals/queries.ts";
import { isOpen, runWord } from "../../features/evals/run-words.ts";
import { Loaded } from "../../kit/loaded.tsx";
import { StateView } from "../../kit/state-view.tsx";
import { momentOf } from "../../lib/time.ts";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageLink } from "../../pages/page-link.tsx";
import { useSearchText } from "../../pages/use-search.ts";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";

export function EvalCompare() {
  const { pid = "", erid = "" } = useOpenPage().parameters;
  const query = useOperation("getEvalRun", { projectId: pid, runId: erid });
  const { data } = query;
  return (
    <PageFrame
      id="eval-compare"
      title={data ? `Compare run ${data.runNumber} of ${data.suiteName}` : "Compare runs"}
      about={
        <PageLink page="eval-run" params={{ pid, erid }} className="underline">
          Back to the run
        </PageLink>
      }
    >
      <Loaded query={query} what="the run">
        {(run) => <Compared key={run.id} run={run} />}
      </Loaded>
    </PageFrame>
  );
}

function Compared({ run }: { run: EvalRunDetail }) {
  const { projectId, id: runId, suiteId } = run;
  const [base, setBase] = useSearchText("base");
  const { data } = useInfiniteQuery(suiteRunsQuery(projectId, suiteId));
  const others = (data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter((each) => each.id !== runId && !isOpen(each));
  // Without a choice it is the run before, which the first does not have.
  const isFirst = base === "" && run.runNumber === 1;
  const query = useOperation(
    "compareEvalRun",
    { projectId, runId, query: base === "" ? {} : { baseRunId: base } },
    { enabled: !isFirst },
  );
  const chosen = base || query.data?.baseRun.id || "";
  return (
    <>
      <Field label="Compare with" className="max-w-md">
        {(control) => (
          <Select
            {...control}
            value={chosen}
            onChange={(event) => setBase(event.target.value)}
            options={[
              ...(isFirst ? [{ value: "", label: "Choose …" }] : []),
              ...others.map((each) => ({
                value: each.id,
                label: `Run ${each.runNumber}, ${runWord(each).word.toLowerCase()}, ${momentOf(each.createdAt)}`,
              })),
            ]}
          />
        )}
      </Field>
      {isFirst ? (
        <StateView
          state="empty"
          icon={<GitCompareArrows aria-hidden="true" className="size-5" />}
          title="Nothing came before it"
        >
          This is the suite's first run. Choose a later one to see what has changed since.
        </StateView>
      ) : (
        <Loaded query={query} what="a run to compare with">
          {(compare) => <CompareView projectId={projectId} compare={compare} />}
        </Loaded>
      )}
    </>
  );
}
