/** @module What every page of one swarm shares: its name, and the swarm once it is there. */
import type { Swarm } from "@fettle/contract/visitors";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOperation } from "../../api/operation.ts";
import { TakeOut } from "../../features/swarms/parts/take-out.tsx";
import { GoneNotice } from "../../kit/gone-notice.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { useChange } from "../../kit/use-change.ts";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame, type PageFrameProps } from "../../pages/page-frame.tsx";
import { pagePath } from "../../pages/pages.ts";

export interface SwarmFrameProps extends Pick<PageFrameProps, "id" | "width" | "blocked"> {
  children: (swarm: Swarm) => ReactNode;
}

export function SwarmFrame({ id, width, blocked, children }: SwarmFrameProps) {
  const { pid = "", swid = "" } = useOpenPage().parameters;
  const address = { projectId: pid, swarmId: swid };
  const query = useOperation("getSwarm", address);
  const navigate = useNavigate();
  const archive = useChange("archiveSwarm", () => void navigate({ to: pagePath("swarms", { pid }) }));
  const { data } = query;
  return (
    <PageFrame
      id={id}
      {...(width && { width })}
      blocked={blocked}
      title={data?.name ?? "Swarm"}
      about={data?.description}
      actions={
        data && (
          <TakeOut name={data.name} verb="Archive" action={{ ...archive, run: () => archive.run(address) }}>
            <p>It leaves the list. Its journeys and their runs stay, and can be launched as before.</p>
          </TakeOut>
        )
      }
    >
      <GoneNotice query={query} what="swarm" />
      <Loaded query={query} what="the swarm">
        {(swarm) => (
          <div key={swarm.id} className="stack gap-6">
            {children(swarm)}
          </div>
        )}
      </Loaded>
    </PageFrame>
  );
}
