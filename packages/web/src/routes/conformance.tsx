/** @module `/p/:pid/conformance`: runs of conformance suites, and the score over time. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { BadgeCheck } from "lucide-react";
import { failureOf } from "../api/failure.ts";
import { serversQuery } from "../api/servers.ts";
import { useOpenPage } from "../app/page-context.tsx";
import { PageFrame } from "../app/page-frame.tsx";
import { pageById, pagePath } from "../app/pages.ts";
import { usePrimaryAction, useSearchText } from "../app/use-search.ts";
import { RunTable } from "../features/conformance/parts/run-table.tsx";
import { ScoreHistory } from "../features/conformance/parts/score-history.tsx";
import { StartRunDialog } from "../features/conformance/parts/start-run-dialog.tsx";
import { runsQuery } from "../features/conformance/queries.ts";
import { useCommandFacts } from "../kit/command-facts.ts";
import { FailureView } from "../kit/failure-view.tsx";
import { Loading } from "../kit/loading.tsx";
import { NothingMatches } from "../kit/nothing-matches.tsx";
import { StateView } from "../kit/state-view.tsx";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/select.tsx";

const page = pageById("conformance");

export function Conformance() {
  const { pid = "" } = useOpenPage().parameters;
  const [serverId, setServerId] = useSearchText("server");
  const [starting, setStarting] = usePrimaryAction();
  const servers = useQuery(serversQuery(pid)).data?.items;
  const navigate = useNavigate();
  useCommandFacts({ address: servers?.find(({ id }) => id === serverId)?.url });
  return (
    <PageFrame id="conformance" about={page.about}>
      <Runs projectId={pid} serverId={serverId} onServer={setServerId} onStart={() => setStarting(true)} />
      <StartRunDialog
        open={starting && servers !== undefined}
        projectId={pid}
        servers={servers ?? []}
        serverId={serverId}
        onClose={() => setStarting(false)}
        onStarted={(rid) => void navigate({ to: pagePath("conformance-run", { pid, rid }) })}
      />
    </PageFrame>
  );
}

interface RunsProps {
  projectId: string;
  serverId: string;
  onServer: (serverId: string) => void;
  onStart: () => void;
}

function Runs({ projectId, serverId, onServer, onStart }: RunsProps) {
  const query = useInfiniteQuery(runsQuery(projectId, serverId));
  const servers = useQuery(serversQuery(projectId)).data?.items;
  if (query.data === undefined) {
    return query.isError ? (
      <FailureView failure={failureOf(query.error)} what="the runs" onRetry={() => void query.refetch()} />
    ) : (
      <Loading what="the runs" />
    );
  }
  const runs = query.data.pages.flatMap(({ items }) => items);
  if (runs.length === 0 && serverId === "") {
    return (
      <StateView
        state="empty"
        icon={<BadgeCheck aria-hidden="true" className="size-5" />}
        title={page.empty!.title}
        actions={<Button onClick={onStart}>{page.action!.label}</Button>}
      >
        {page.empty!.text}
      </StateView>
    );
  }
  const name = servers?.find(({ id }) => id === serverId)?.name ?? serverId;
  return (
    <div className="stack gap-4">
      <Select
        aria-label="Runs of"
        value={serverId}
        onChange={(event) => onServer(event.target.value)}
        options={[
          { value: "", label: "All servers" },
          ...(servers ?? []).map((server) => ({ value: server.id, label: server.name })),
        ]}
        className="max-w-72"
      />
      {serverId !== "" && (
        <ScoreHistory
          name={name}
          runs={runs}
          more={query.hasNextPage}
          addressOf={({ id }) => pagePath("conformance-run", { pid: projectId, rid: id })}
        />
      )}
      {runs.length === 0 ? (
        <NothingMatches filter={name} onClear={() => onServer("")} />
      ) : (
        <RunTable runs={runs} servers={servers} more={query.hasNextPage} />
      )}
      {query.hasNextPage && (
        <span>
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older runs
          </Button>
        </span>
      )}
    </div>
  );
}
