/** @module `/p/:pid/swarms/runs/:jrid/compare`: a run beside an earlier one of its journey. */
import type { JourneyRunDetail } from "@fettle/contract/visitors";
import { useInfiniteQuery } from "@tanstack/react-query";
import { GitCompareArrows } from "lucide-react";
import { useOperation } from "../../api/operation.ts";
import { CompareView } from "../../features/swarms/parts/compare-view.tsx";
import { pagedQuery } from "../../features/swarms/queries.ts";
import { isRunning, runWords } from "../../features/swarms/run-words.ts";
import { Loaded } from "../../kit/loaded.tsx";
import { StateView } from "../../kit/state-view.tsx";
import { momentOf } from "../../lib/time.ts";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageLink } from "../../pages/page-link.tsx";
import { useSearchText } from "../../pages/use-search.ts";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";

export function JourneyCompare() {
  const { pid = "", jrid = "" } = useOpenPage().parameters;
  const query = useOperation("getJourneyRun", { projectId: pid, runId: jrid });
  const { data } = query;
  return (
    <PageFrame
      id="journey-compare"
      title={data ? `Compare ${data.journeyName}` : "Compare waves"}
      about={
        <PageLink page="journey-run" params={{ pid, jrid }} className="underline">
          Back to the run
          {data && ` of ${momentOf(data.createdAt)}`}
        </PageLink>
      }
    >
      <Loaded query={query} what="the run">
        {(run) => <Compared key={run.id} run={run} />}
      </Loaded>
    </PageFrame>
  );
}

function Compared({ run }: { run: JourneyRunDetail }) {
  const { projectId, journeyId } = run;
  const [chosen, setChosen] = useSearchText("base");
  const list = useInfiniteQuery(pagedQuery("listJourneyRuns", { projectId, journeyId }));
  return (
    <Loaded query={list} what="the journey's runs">
      {({ pages }) => {
        const others = pages
          .flatMap(({ items }) => items)
          .filter((each) => each.id !== run.id && !isRunning(each));
        const base = chosen || (others.find(({ createdAt }) => createdAt < run.createdAt) ?? others[0])?.id;
        if (base === undefined) {
          return (
            <StateView
              state="empty"
              icon={<GitCompareArrows aria-hidden="true" className="size-5" />}
              title="There is nothing to compare it with"
            >
              It is the journey's only run that has ended. Launch it again, and the two stand side by side
              here.
            </StateView>
          );
        }
        return (
          <>
            <Field label="Compare with" className="max-w-md">
              {(control) => (
                <Select
                  {...control}
                  value={base}
                  onChange={(event) => setChosen(event.target.value)}
                  options={others.map((each) => ({
                    value: each.id,
                    label: `${momentOf(each.createdAt)}, ${runWords[each.displayStatus].word.toLowerCase()}, wave ${each.waveId}`,
                  }))}
                />
              )}
            </Field>
            <SideBySide key={base} run={run} otherId={base} />
          </>
        );
      }}
    </Loaded>
  );
}

function SideBySide({ run, otherId }: { run: JourneyRunDetail; otherId: string }) {
  const { projectId } = run;
  const other = useOperation("getJourneyRun", { projectId, runId: otherId });
  // Without a rubric there is no scorecard, and the two are compared by the rest.
  const own = useOperation("getJourneyRunScorecard", { projectId, runId: run.id }).data;
  const its = useOperation("getJourneyRunScorecard", { projectId, runId: otherId }).data;
  return (
    <Loaded query={other} what="the other run">
      {(found) => {
        const isLater = found.createdAt <= run.createdAt;
        return (
          <CompareView
            base={isLater ? found : run}
            now={isLater ? run : found}
            cards={isLater ? { base: its, now: own } : { base: own, now: its }}
          />
        );
      }}
    </Loaded>
  );
}
