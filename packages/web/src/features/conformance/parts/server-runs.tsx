/** @module Conformance of one server: its latest run, what turned since the one before, and all of them. */
import type { ConformanceRun, ProjectServer } from "@fettle/contract/servers";
import { useInfiniteQuery } from "@tanstack/react-query";
import { BadgeCheck, Plus, RotateCw } from "lucide-react";
import { useState } from "react";
import { useServerImages } from "../../../api/server-image.ts";
import { Blocked } from "../../../kit/blocked.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { ShowMore } from "../../../kit/list/show-more.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { StateView } from "../../../kit/state-view.tsx";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { isLocal } from "../../../lib/local.ts";
import { Button } from "../../../ui/button.tsx";
import { runsQuery } from "../queries.ts";
import { isOpen } from "../run-words.ts";
import { canRepeat, useRepeat } from "./run-actions.tsx";
import { RunTable } from "./run-table.tsx";
import { ScoreHistory } from "./score-history.tsx";
import { StartRunDialog } from "./start-run-dialog.tsx";
import { TurnedChecks } from "./turned-checks.tsx";

export interface ServerRunsProps {
  server: ProjectServer;
  onOpen: (runId: string) => void;
}

export function ServerRuns({ server, onOpen }: ServerRunsProps) {
  const query = useInfiniteQuery(runsQuery(server.projectId, server.id));
  return (
    <Loaded query={query} what="the runs">
      {({ pages }) => {
        const runs = pages.flatMap(({ items }) => items);
        return (
          <>
            <Start server={server} last={runs[0]} onOpen={onOpen} />
            {runs.length === 0 ? (
              <Nothing />
            ) : (
              <Runs server={server} runs={runs} more={query.hasNextPage} onOpen={onOpen} />
            )}
            <ShowMore query={query}>Show older runs</ShowMore>
          </>
        );
      }}
    </Loaded>
  );
}

function Nothing() {
  return (
    <StateView
      heading="h2"
      state="empty"
      icon={<BadgeCheck aria-hidden="true" className="size-5" />}
      title="It was never checked"
    >
      The suites hold the server to the specification and keep what was on the wire.
    </StateView>
  );
}

interface StartProps extends ServerRunsProps {
  last: ConformanceRun | undefined;
}

function Start({ server, last, onOpen }: StartProps) {
  const [asking, setAsking] = useState(false);
  const offline = useWriteBlock();
  const repeat = useRepeat(onOpen);
  const { runsIn } = useServerImages(server);
  const blocked =
    server.transportType === "http" || isLocal || runsIn
      ? offline
      : "The service does not have this command; run `fettle protocol conformance` where the server is.";
  return (
    <div className="stack justify-items-start gap-2">
      <div className="flex flex-wrap gap-2">
        {last && canRepeat(last) && (
          <Blocked reason={blocked}>
            <Button
              look="primary"
              busy={repeat.busy}
              icon={<RotateCw aria-hidden="true" className="size-3.5" />}
              onClick={() => repeat.run(last)}
            >
              Repeat the last run
            </Button>
          </Blocked>
        )}
        <Blocked reason={blocked}>
          <Button
            {...(!last && { look: "primary" as const })}
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => setAsking(true)}
          >
            Run checks
          </Button>
        </Blocked>
      </div>
      <FormFailure failure={repeat.failure} />
      {asking && (
        <StartRunDialog
          projectId={server.projectId}
          servers={[server]}
          serverId={server.id}
          like={last?.options ? last : undefined}
          onClose={() => setAsking(false)}
          onStarted={onOpen}
        />
      )}
    </div>
  );
}

interface RunsProps extends ServerRunsProps {
  runs: readonly ConformanceRun[];
  more: boolean;
}

function Runs({ server, runs, more, onOpen }: RunsProps) {
  const ended = runs.find((run) => !isOpen(run));
  return (
    <>
      {ended && runs.length > 1 && <TurnedChecks run={ended} />}
      <ScoreHistory name={server.name} runs={runs} more={more} onOpen={onOpen} />
      <RunTable runs={runs} servers={[server]} more={more} />
    </>
  );
}
