/** @module `/p/:pid/swarms/:swid/matrix`: personas by targets, live while a wave runs, and launching the next. */
import type { Swarm } from "@fettle/contract/visitors";
import { useNavigate } from "@tanstack/react-router";
import { Drama, Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useOperation } from "../../api/operation.ts";
import { LaunchDialog } from "../../features/swarms/parts/launch-dialog.tsx";
import { SwarmMatrix } from "../../features/swarms/parts/swarm-matrix.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { StateView } from "../../kit/state-view.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { pageById, pagePath } from "../../pages/pages.ts";
import { usePrimaryAction } from "../../pages/use-search.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import { SwarmFrame } from "../frames/swarm-frame.tsx";

const CreateJourneyDialog = lazy(async () => ({
  default: (await import("../../features/swarms/parts/create-dialogs.tsx")).CreateJourneyDialog,
}));

export function SwarmMatrixPage() {
  const { pid = "", swid = "" } = useOpenPage().parameters;
  const rows = useOperation("getSwarmMatrix", { projectId: pid, swarmId: swid }).data?.rows;
  return (
    <SwarmFrame
      id="swarm-matrix"
      width="full"
      blocked={rows?.length === 0 ? "There is nothing to launch yet: add a journey first." : undefined}
    >
      {(swarm) => <Contents swarm={swarm} />}
    </SwarmFrame>
  );
}

function Contents({ swarm }: { swarm: Swarm }) {
  const { projectId: pid, id: swarmId } = swarm;
  const query = useOperation("getSwarmMatrix", { projectId: pid, swarmId });
  const [launching, setLaunching] = usePrimaryAction();
  const [adding, setAdding] = useState(false);
  const navigate = useNavigate();
  const { empty } = pageById("swarm-matrix");
  const add = (
    <Button icon={<Plus aria-hidden="true" className="size-3.5" />} onClick={() => setAdding(true)}>
      Add a journey
    </Button>
  );
  return (
    <>
      <Loaded query={query} what="the matrix">
        {({ rows }) =>
          rows.length === 0 ? (
            <StateView
              heading="h2"
              state="empty"
              icon={<Drama aria-hidden="true" className="size-5" />}
              title={empty?.title ?? ""}
              actions={add}
            >
              {empty?.text}
            </StateView>
          ) : (
            <>
              <SwarmMatrix pid={pid} rows={rows} />
              <span>{add}</span>
              {launching && (
                <LaunchDialog
                  projectId={pid}
                  title={`Launch ${swarm.name}`}
                  journeys={rows.map(({ journeyId, journeyName, persona }) => ({
                    id: journeyId,
                    name: journeyName,
                    persona: persona.name,
                  }))}
                  onClose={() => setLaunching(false)}
                  onLaunched={(runs) => {
                    setLaunching(false);
                    toast(
                      runs.length === 1
                        ? "One journey is under way"
                        : `${runs.length} journeys are under way`,
                    );
                  }}
                />
              )}
            </>
          )
        }
      </Loaded>
      {adding && (
        <Suspense>
          <CreateJourneyDialog
            projectId={pid}
            swarm={swarm}
            onClose={() => setAdding(false)}
            onCreated={({ id }) => {
              setAdding(false);
              void navigate({ to: pagePath("journey-settings", { pid, jid: id }) });
            }}
          />
        </Suspense>
      )}
    </>
  );
}
