/** @module `/p/:pid/swarms/journeys/:jid/results`: a journey's runs, and launching the next. */
import type { Journey } from "@fettle/contract/visitors";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Route } from "lucide-react";
import { LaunchDialog } from "../../features/swarms/parts/launch-dialog.tsx";
import { GoalHistory, RunTable } from "../../features/swarms/parts/run-table.tsx";
import { pagedQuery } from "../../features/swarms/queries.ts";
import { ShowMore } from "../../kit/list/show-more.tsx";
import { PageList } from "../../pages/page-list.tsx";
import { pagePath } from "../../pages/pages.ts";
import { usePrimaryAction } from "../../pages/use-search.ts";
import { JourneyFrame } from "../frames/journey-frame.tsx";

export function JourneyResults() {
  return <JourneyFrame id="journey-results">{(journey) => <Results journey={journey} />}</JourneyFrame>;
}

function Results({ journey }: { journey: Journey }) {
  const { projectId: pid, id: journeyId, name } = journey;
  const query = useInfiniteQuery(pagedQuery("listJourneyRuns", { projectId: pid, journeyId }));
  const { data, hasNextPage } = query;
  const [launching, setLaunching] = usePrimaryAction();
  const navigate = useNavigate();
  const open = (jrid: string) => void navigate({ to: pagePath("journey-run", { pid, jrid }) });
  return (
    <>
      <PageList
        id="journey-results"
        query={{ ...query, data: data && { items: data.pages.flatMap(({ items }) => items) } }}
        noun="runs"
        icon={Route}
      >
        {(runs) => (
          <>
            <GoalHistory name={name} runs={runs} onOpen={open} />
            <RunTable pid={pid} runs={runs} more={hasNextPage} />
          </>
        )}
      </PageList>
      <ShowMore query={query}>Show older runs</ShowMore>
      {launching && (
        <LaunchDialog
          projectId={pid}
          title={`Launch ${name}`}
          journeys={[{ id: journeyId, name, persona: "" }]}
          onClose={() => setLaunching(false)}
          onLaunched={([run]) => run && open(run.id)}
        />
      )}
    </>
  );
}
