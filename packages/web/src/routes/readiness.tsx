/** @module `/p/:pid/readiness`: saved servers, graded for directories. */
import { useNavigate } from "@tanstack/react-router";
import { ClipboardCheck } from "lucide-react";
import { useOperation } from "../api/operation.ts";
import { RunTable } from "../features/readiness/parts/run-table.tsx";
import { StartRunDialog } from "../features/readiness/parts/start-run-dialog.tsx";
import { publisherNames } from "../features/readiness/run-words.ts";
import { ServerSelect } from "../kit/list/server-select.tsx";
import { useOpenPage } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { PageList } from "../pages/page-list.tsx";
import { pageById, pagePath } from "../pages/pages.ts";
import { usePrimaryAction, useSearchText } from "../pages/use-search.ts";
import { Select } from "../ui/select.tsx";

const page = pageById("readiness");

/** As many as one answer holds: there are no further pages of it. */
const limit = "100";

export function Readiness() {
  const { pid = "" } = useOpenPage().parameters;
  const [serverId, setServerId] = useSearchText("server");
  const [directory, setDirectory] = useSearchText("directory");
  const [starting, setStarting] = usePrimaryAction();
  const servers = useOperation("listProjectServers", { projectId: pid }).data?.items;
  const kind = directory === "claude" || directory === "openai" ? directory : undefined;
  const query = useOperation("listReadinessRuns", {
    projectId: pid,
    query: { limit, ...(serverId && { serverId }), ...(kind && { readinessKind: kind }) },
  });
  const navigate = useNavigate();
  const name = servers?.find(({ id }) => id === serverId)?.name;
  const narrowedTo = [name, kind && publisherNames[kind]].filter(Boolean).join(", ");
  const clear = () => {
    setServerId("");
    setDirectory("");
  };
  return (
    <PageFrame id="readiness" about={page.about}>
      <PageList
        id="readiness"
        query={query}
        noun="runs"
        icon={ClipboardCheck}
        narrowed={narrowedTo !== "" && { to: narrowedTo, clear }}
        tools={() => (
          <span className="grid grow gap-3 sm:grid-cols-[18rem_14rem]">
            <ServerSelect servers={servers} value={serverId} onChange={setServerId} />
            <Select
              aria-label="Graded for"
              value={directory}
              onChange={(event) => setDirectory(event.target.value)}
              options={[
                { value: "", label: "Both directories" },
                ...Object.entries(publisherNames).map(([value, label]) => ({ value, label })),
              ]}
            />
          </span>
        )}
      >
        {(runs) => <RunTable runs={runs} servers={servers} />}
      </PageList>
      {starting && servers && (
        <StartRunDialog
          projectId={pid}
          servers={servers}
          serverId={serverId}
          onClose={() => setStarting(false)}
          onStarted={(rdid) => void navigate({ to: pagePath("readiness-run", { pid, rdid }) })}
        />
      )}
    </PageFrame>
  );
}
