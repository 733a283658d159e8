/** @module What every page of one journey shares: its name and persona, and the journey once it is there. */
import type { Journey } from "@fettle/contract/visitors";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOperation } from "../../api/operation.ts";
import { TakeOut } from "../../features/swarms/parts/take-out.tsx";
import { GoneNotice } from "../../kit/gone-notice.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { useChange } from "../../kit/use-change.ts";
import { VisibleText } from "../../kit/visible-text.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame, type PageFrameProps } from "../../pages/page-frame.tsx";
import { PageLink } from "../../pages/page-link.tsx";
import { pagePath } from "../../pages/pages.ts";

export interface JourneyFrameProps extends Pick<PageFrameProps, "id" | "width"> {
  children: (journey: Journey) => ReactNode;
}

export function JourneyFrame({ id, width, children }: JourneyFrameProps) {
  const { pid = "", jid = "" } = useOpenPage().parameters;
  const address = { projectId: pid, journeyId: jid };
  const query = useOperation("getJourney", address);
  const navigate = useNavigate();
  const archive = useChange("archiveJourney", () => void navigate({ to: pagePath("journeys", { pid }) }));
  const { data } = query;
  const persona = useOperation("getPersona", { projectId: pid, personaId: data?.personaId ?? "" }).data;
  return (
    <PageFrame
      id={id}
      {...(width && { width })}
      title={data?.name ?? "Journey"}
      about={
        data && (
          <>
            {data.goal !== data.name && (
              <p>
                <VisibleText text={data.goal} />
              </p>
            )}
            <PageLink page="persona" params={{ pid, peid: data.personaId }} className="underline">
              {persona ? `${persona.name}, ${persona.role}` : "The persona"}
            </PageLink>
            {data.swarmId !== null && (
              <>
                {" · "}
                <PageLink page="swarm-matrix" params={{ pid, swid: data.swarmId }} className="underline">
                  The swarm it belongs to
                </PageLink>
              </>
            )}
          </>
        )
      }
      actions={
        data && (
          <TakeOut name={data.name} verb="Archive" action={{ ...archive, run: () => archive.run(address) }}>
            <p>It leaves the list and its swarm. Its runs, scorecards and findings stay to be read.</p>
          </TakeOut>
        )
      }
    >
      <GoneNotice query={query} what="journey" />
      <Loaded query={query} what="the journey">
        {(journey) => (
          <div key={journey.id} className="stack gap-6">
            {children(journey)}
          </div>
        )}
      </Loaded>
    </PageFrame>
  );
}
