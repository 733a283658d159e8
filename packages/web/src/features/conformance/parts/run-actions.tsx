/** @module What can be done with a run: stop it, make another like it, take it away as a file. */
import {
  type ConformanceExportFormat,
  type ConformanceRun,
  conformanceExportFormats,
  hostedConformanceSuites,
} from "@fettle/contract/servers";
import { Download, RotateCw, Square } from "lucide-react";
import { Blocked } from "../../../kit/blocked.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { DeleteRun } from "../../../kit/runs/delete-run.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { useChange } from "../../../kit/use-change.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { download } from "../../../lib/download.ts";
import { Button } from "../../../ui/button.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { exportRun } from "../queries.ts";
import { isOpen } from "../run-words.ts";

const formatNames: Record<ConformanceExportFormat, string> = {
  json: "Everything, as JSON",
  "json-summary": "Summary for CI, as JSON",
  "junit-xml": "JUnit XML",
};

export interface RunActionsProps {
  run: ConformanceRun;
  onStarted: (runId: string) => void;
  onDeleted: () => void;
}

export function RunActions({ run, onStarted, onDeleted }: RunActionsProps) {
  const offline = useWriteBlock();
  const address = { projectId: run.projectId, runId: run.id };
  const cancel = useChange("cancelConformanceRun");
  const repeat = useRepeat(onStarted);
  const take = useAction(
    (format: ConformanceExportFormat) => exportRun(address, format),
    ({ fileName, content, mediaType }) => download(fileName, content, mediaType),
  );
  return (
    <div className="stack justify-items-start gap-2">
      <div className="flex flex-wrap gap-2">
        {isOpen(run) && (
          <Blocked reason={offline}>
            <Button
              busy={cancel.busy}
              icon={<Square aria-hidden="true" className="size-3.5" />}
              onClick={() => cancel.run(address)}
            >
              Stop the run
            </Button>
          </Blocked>
        )}
        {canRepeat(run) && (
          <Blocked reason={offline}>
            <Button
              look="primary"
              busy={repeat.busy}
              icon={<RotateCw aria-hidden="true" className="size-3.5" />}
              onClick={() => repeat.run(run)}
            >
              Run again
            </Button>
          </Blocked>
        )}
        {run.reports.some(({ hasReport }) => hasReport) && (
          <Menu
            trigger={
              <Button busy={take.busy} icon={<Download aria-hidden="true" className="size-3.5" />}>
                Export
              </Button>
            }
          >
            {conformanceExportFormats.map((format) => (
              <MenuItem key={format} onSelect={() => take.run(format)}>
                {formatNames[format]}
              </MenuItem>
            ))}
          </Menu>
        )}
        {!isOpen(run) && (
          <DeleteRun
            operation="deleteConformanceRun"
            run={run}
            contents="Its reports"
            onDeleted={onDeleted}
          />
        )}
      </div>
      <FormFailure failure={cancel.failure ?? repeat.failure ?? take.failure} />
    </div>
  );
}

/** One that ended, was made here, and whose server is still there. */
export function canRepeat(run: ConformanceRun): boolean {
  return !isOpen(run) && run.serverId !== null && run.options !== null;
}

/** Starts another run with the same options. */
export function useRepeat(onStarted: (runId: string) => void) {
  const start = useChange("startConformanceRun", ({ runId }) => onStarted(runId));
  const run = ({ projectId, serverId, requestedSuites, options }: ConformanceRun) =>
    start.run({
      projectId,
      serverId: serverId ?? "",
      body: {
        suites: hostedConformanceSuites.filter((kind) => requestedSuites.includes(kind)),
        ...(options?.protocolVersion && { protocolVersion: options.protocolVersion }),
        ...(options?.fixtures && { fixtures: options.fixtures }),
      },
    });
  return { ...start, run };
}
