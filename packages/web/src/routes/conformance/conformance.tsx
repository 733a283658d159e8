/** @module `/p/:pid/conformance`: runs of conformance suites, and the score over time. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { BadgeCheck } from "lucide-react";
import { useOperation } from "../../api/operation.ts";
import { RunTable } from "../../features/conformance/parts/run-table.tsx";
import { ScoreHistory } from "../../features/conformance/parts/score-history.tsx";
import { StartRunDialog } from "../../features/conformance/parts/start-run-dialog.tsx";
import { runsQuery } from "../../features/conformance/queries.ts";
import { useCommandFacts } from "../../kit/command-facts.ts";
import { ServerSelect } from "../../kit/list/server-select.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageList } from "../../pages/page-list.tsx";
import { pageById, pagePath } from "../../pages/pages.ts";
import { usePrimaryAction, useSearchText } from "../../pages/use-search.ts";
import { Button } from "../../ui/button.tsx";

const page = pageById("conformance");

export function Conformance() {
  const { pid = "" } = useOpenPage().parameters;
  const [serverId, setServerId] = useSearchText("server");
  const [starting, setStarting] = usePrimaryAction();
  const servers = useOperation("listProjectServers", { projectId: pid }).data?.items;
  const query = useInfiniteQuery(runsQuery(pid, serverId));
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const navigate = useNavigate();
  const server = servers?.find(({ id }) => id === serverId);
  const name = server?.name ?? serverId;
  useCommandFacts({ address: server?.url });
  return (
    <PageFrame id="conformance" about={page.about}>
      <PageList
        id="conformance"
        query={{ ...query, data: data && { items: data.pages.flatMap(({ items }) => items) } }}
        noun="runs"
        icon={BadgeCheck}
        narrowed={serverId !== "" && { to: name, clear: () => setServerId("") }}
        tools={() => (
          <ServerSelect servers={servers} value={serverId} onChange={setServerId} className="max-w-72" />
        )}
      >
        {(runs) => (
          <>
            {serverId !== "" && (
              <ScoreHistory
                name={name}
                runs={runs}
                more={hasNextPage}
                onOpen={(rid) => void navigate({ to: pagePath("conformance-run", { pid, rid }) })}
              />
            )}
            <RunTable runs={runs} servers={servers} more={hasNextPage} />
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
      {starting && servers && (
        <StartRunDialog
          projectId={pid}
          servers={servers}
          serverId={serverId}
          onClose={() => setStarting(false)}
          onStarted={(rid) => void navigate({ to: pagePath("conformance-run", { pid, rid }) })}
        />
      )}
    </PageFrame>
  );
}
