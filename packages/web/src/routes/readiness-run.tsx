/** @module `/p/:pid/readiness/:rdid`: how a server is graded for a directory, what is missing, and every finding. */
import type { ReadinessRun } from "@fettle/contract/servers";
import { useNavigate } from "@tanstack/react-router";
import { Square } from "lucide-react";
import { useOperation } from "../api/operation.ts";
import { FindingList } from "../features/readiness/parts/finding-list.tsx";
import { MissingInputs } from "../features/readiness/parts/missing-inputs.tsx";
import { RunState } from "../features/readiness/parts/run-state.tsx";
import { RunSummary } from "../features/readiness/parts/run-summary.tsx";
import { isOpen, subjectOf } from "../features/readiness/run-words.ts";
import { Blocked } from "../kit/blocked.tsx";
import { FormFailure } from "../kit/form-failure.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { DeleteRun } from "../kit/runs/delete-run.tsx";
import { useChange } from "../kit/use-change.ts";
import { useWriteBlock } from "../kit/use-link-state.ts";
import { commandLine } from "../lib/command-line.ts";
import { useOpenPage } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { pagePath } from "../pages/pages.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

/** All there are: a report holds no more rules than that. */
const limit = "500";

export function ReadinessRunPage() {
  const { pid = "", rdid = "" } = useOpenPage().parameters;
  const query = useOperation("getReadinessRun", { projectId: pid, runId: rdid });
  const servers = useOperation("listProjectServers", { projectId: pid }).data?.items;
  const navigate = useNavigate();
  return (
    <PageFrame
      id="readiness-run"
      title={query.data ? `Readiness of ${subjectOf(query.data, servers)}` : "Readiness run"}
      chip={query.data && <RunState run={query.data} />}
      actions={
        query.data &&
        !isOpen(query.data) && (
          <DeleteRun
            operation="deleteReadinessRun"
            run={query.data}
            contents="Its grades and findings"
            onDeleted={() => void navigate({ to: pagePath("readiness", { pid }) })}
          />
        )
      }
    >
      <Loaded query={query} what="the run">
        {(run) => (
          <>
            {isOpen(run) && <Stop run={run} />}
            <RunSummary run={run} />
            {run.hasReport && <Report run={run} />}
          </>
        )}
      </Loaded>
    </PageFrame>
  );
}

/** Asking is all that a press does; the end shows when the worker has let go. */
function Stop({ run }: { run: ReadinessRun }) {
  const offline = useWriteBlock();
  const cancel = useChange("cancelReadinessRun");
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

function Report({ run: { projectId, id, readinessKind, serverUrl, submissionMode } }: { run: ReadinessRun }) {
  const query = useOperation("getReadinessReport", { projectId, runId: id, query: { limit } });
  const mode = submissionMode ? ["--submission-mode", submissionMode] : [];
  const words = ["fettle", "readiness", "check", readinessKind, serverUrl, ...mode];
  return (
    <Loaded query={query} what="the report">
      {({ findings, truncated, totalFindings }) => (
        <>
          <MissingInputs findings={findings} command={commandLine(words)} />
          {truncated && (
            <Notice kind="info">
              The {findings.length} most consequential of {totalFindings} findings.
            </Notice>
          )}
          <FindingList findings={findings} />
        </>
      )}
    </Loaded>
  );
}
