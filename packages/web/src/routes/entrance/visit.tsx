/** @module `/t/:link`: a test, from the link that leads to it to the end. Once one is in, the link's secret leaves the address bar. */
import { addressPart } from "@fettle/contract/formats";
import type { SessionEnd, Visit as VisitData, VisitSession } from "@fettle/contract/visitors";
import { useState } from "react";
import { Consent } from "../../features/visit/parts/consent.tsx";
import { Refused, RefusedReason } from "../../features/visit/parts/refused.tsx";
import { VisitChat } from "../../features/visit/parts/visit-chat.tsx";
import { Over } from "../../features/visit/parts/visit-end.tsx";
import { begin, readVisit, redeem } from "../../features/visit/queries.ts";
import { endings, refusedText } from "../../features/visit/visit-words.ts";
import { Loading } from "../../kit/loading.tsx";
import { useLoad } from "../../kit/use-load.ts";
import { VisibleText } from "../../kit/visible-text.tsx";
import { Entrance } from "../../pages/entrance.tsx";
import { matchPage, pagePath } from "../../pages/pages.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

/** Either the secret of a link, or the scenario whose link was opened in this browser before. */
const isScenario = (link: string) => link.startsWith("scn_");

/** Known to this page alone, so that one can come in again after access has changed. */
let opened: string | undefined;

async function arrive(link: string, signal: AbortSignal): Promise<VisitData> {
  if (isScenario(link)) return readVisit(link, signal);
  const visit = await redeem(link, signal);
  opened = link;
  history.replaceState(null, "", pagePath("visit", { link: visit.scenarioId }));
  return visit;
}

const linkHere = () => matchPage(location.pathname)?.parameters.link ?? "";

export function Visit() {
  const { data: visit, failure, again } = useLoad((signal) => arrive(opened ?? linkHere(), signal));
  if (failure) {
    const said = refusedText(failure);
    const back = pagePath("visit", { link: opened ?? linkHere() });
    return (
      <Entrance page="visit" {...(said && { title: said.title, about: <RefusedReason failure={failure} /> })}>
        <Refused
          failure={failure}
          signInPath={`${pagePath("login", {})}?return=${addressPart(back)}`}
          onRetry={again}
        />
      </Entrance>
    );
  }
  if (!visit) {
    return (
      <Entrance page="visit">
        <Loading what="the test">
          <Skeleton className="h-40" />
        </Loading>
      </Entrance>
    );
  }
  return <Inside key={visit.accessVersion} visit={visit} onReturn={opened ? again : undefined} />;
}

interface Ended {
  reason: SessionEnd;
  session: VisitSession;
}

function Inside({ visit, onReturn }: { visit: VisitData; onReturn: (() => void) | undefined }) {
  const { session: last, scenarioId } = visit;
  const [session, setSession] = useState(last?.ended === null ? last : undefined);
  const [over, setOver] = useState<Ended | undefined>(
    last?.ended ? { reason: last.ended, session: last } : undefined,
  );
  const [agreed, setAgreed] = useState(!visit.consent.needed);
  const onBegun = (begun: VisitSession) => {
    setAgreed(true);
    setOver(undefined);
    setSession(begun);
  };
  const onEnded = async (open: VisitSession, reason: SessionEnd, ended?: VisitSession) => {
    // Heard twice, by what one pressed and by the live stream: what tells more stays.
    setOver((before) => (before && !ended ? before : { reason, session: ended ?? open }));
    setSession(undefined);
    if (ended || reason === "access") return;
    // It ended elsewhere, such as in another tab; until when it can be erased is asked for.
    const now = await readVisit(scenarioId).catch(() => undefined);
    const last = now?.session;
    if (last) setOver((before) => (before?.reason === reason ? { reason, session: last } : before));
  };
  if (session && agreed) {
    return (
      <VisitChat
        key={session.sessionId}
        visit={visit}
        session={session}
        onEnded={(reason, ended) => onEnded(session, reason, ended)}
      />
    );
  }
  if (over && agreed) {
    const { title, text } = endings[over.reason];
    const isOut = over.reason === "access";
    return (
      <Entrance page="visit" title={title} about={<p role="status">{text}</p>}>
        <Over
          reason={over.reason}
          address={{ scenarioId, sessionId: over.session.sessionId }}
          eraseUntil={isOut ? null : over.session.eraseUntil}
          onErased={() => setOver({ ...over, reason: "erased" })}
          onBegin={isOut ? undefined : () => begin(scenarioId)}
          onBegun={onBegun}
          onReturn={isOut ? onReturn : undefined}
        />
      </Entrance>
    );
  }
  return (
    <Entrance
      page="visit"
      title={visit.name}
      about={visit.description && <VisibleText text={visit.description} />}
    >
      <Consent visit={visit} onBegun={onBegun} />
    </Entrance>
  );
}
