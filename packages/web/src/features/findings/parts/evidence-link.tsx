/** @module Leads from a piece of evidence to where it was said or called. */
import type { ActionableFindingEvidence } from "@fettle/contract/insights";
import { PageLink } from "../../../pages/page-link.tsx";

export interface EvidenceLinkProps {
  pid: string;
  evidence: ActionableFindingEvidence;
  /** What the conversations were of: an eval run, a scenario, or the project's swarms. */
  of: { runId: string } | { scenarioId: string } | "swarms";
}

const look = "shrink-0 text-accent-text text-sm underline underline-offset-2";

export function EvidenceLink({ pid, evidence, of }: EvidenceLinkProps) {
  const { sessionId, iterationId, excerpt, messageIndex } = evidence;
  if (of === "swarms") {
    // A synthetic visitor's session is named by the run it is of.
    const [, jrid] = /^synth_(jrn_[^_]+)_/.exec(sessionId ?? "") ?? [];
    if (!sessionId || !jrid) return null;
    return (
      <PageLink page="journey-run" params={{ pid, jrid }} search={{ session: sessionId }} className={look}>
        Open the session
      </PageLink>
    );
  }
  if ("runId" in of) {
    if (!iterationId) return null;
    return (
      <PageLink
        page="eval-run"
        params={{ pid, erid: of.runId }}
        search={{ at: `iteration:${iterationId}` }}
        className={look}
      >
        Open the repetition
      </PageLink>
    );
  }
  if (!sessionId) return null;
  return (
    <PageLink
      page="visitor-session"
      params={{ pid, scid: of.scenarioId, vsid: sessionId }}
      search={messageIndex === undefined ? { say: excerpt } : { at: `message:${messageIndex}` }}
      className={look}
    >
      Open the conversation
    </PageLink>
  );
}
