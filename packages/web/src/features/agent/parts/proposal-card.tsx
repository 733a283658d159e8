/** @module What the agent proposed, as whoever decides sees it: the operation in our words, why it needs approval, its exact arguments, and two buttons. */
import type { AgentAction } from "@fettle/contract/agent";
import type { ConfirmSeverity, ProposalState } from "@fettle/contract/core";
import { escapeHidden } from "@fettle/contract/formats";
import { Link } from "@tanstack/react-router";
import { Blocked } from "../../../kit/blocked.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip, type Tone } from "../../../ui/chip.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Time } from "../../../ui/time.tsx";
import { pathOfUrl } from "../conversation.ts";

const severities: Record<ConfirmSeverity, { tone: Tone; text: string }> = {
  spend: { tone: "warn", text: "Can cost money" },
  external: { tone: "warn", text: "Affects others" },
  none: { tone: "neutral", text: "Stops a run" },
};

const states: Record<Exclude<ProposalState, "open">, { tone: Tone; text: string }> = {
  running: { tone: "info", text: "Being done" },
  done: { tone: "good", text: "Approved and done" },
  failed: { tone: "bad", text: "Approved and failed" },
  declined: { tone: "neutral", text: "Declined" },
  expired: { tone: "neutral", text: "Expired" },
  lost: { tone: "bad", text: "Cut off" },
};

export function ProposalCard({ projectId, action }: { projectId: string; action: AgentAction }) {
  const { actionId, state, confirmSeverity, description, reason, arguments: given, result } = action;
  const severity = severities[confirmSeverity];
  return (
    <article
      data-testid="proposal"
      data-state={state}
      aria-label={`Proposal: ${action.operation}`}
      className="stack gap-2.5 rounded-panel border border-line p-3.5"
    >
      <div className="flex flex-wrap items-center gap-2">
        <Chip tone={severity.tone}>{severity.text}</Chip>
        {state !== "open" && <Chip tone={states[state].tone}>{states[state].text}</Chip>}
        <code className="text-faint text-sm">{action.operation}</code>
      </div>
      <p className="break-words font-medium">{description}</p>
      <p className="break-words">{reason}</p>
      <details className="text-sm">
        <summary className="w-fit rounded-[4px] text-faint">Exact arguments</summary>
        <pre className="mt-1.5 overflow-x-auto whitespace-pre-wrap break-words rounded-control bg-selected p-2.5 text-xs">
          {escapeHidden(JSON.stringify(given, null, 2))}
        </pre>
      </details>
      {state === "open" && <Decision projectId={projectId} actionId={actionId} label={action.buttonLabel} />}
      {result?.error && <Notice kind="bad">{result.error}</Notice>}
      {result?.resource && (
        <Link to={pathOfUrl(result.resource.url)} className="w-fit text-accent-text hover:underline">
          Open what came of it
        </Link>
      )}
      <p className="text-faint text-sm">
        {action.decidedBy && action.decidedAt !== null ? (
          <>
            {action.decidedBy}, <Time at={action.decidedAt} />
          </>
        ) : (
          <>
            Asked for by {action.proposedBy ?? "somebody who is gone"}, <Time at={action.createdAt} />
          </>
        )}
      </p>
    </article>
  );
}

function Decision({ projectId, actionId, label }: { projectId: string; actionId: string; label: string }) {
  const approve = useChange("approveAgentAction");
  const decline = useChange("declineAgentAction");
  const offline = useWriteBlock();
  const failure = approve.failure ?? decline.failure;
  const address = { projectId, actionId };
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Blocked reason={offline}>
          <Button
            look="primary"
            busy={approve.busy}
            disabled={decline.busy}
            onClick={() => approve.run(address)}
          >
            Approve: {label.toLowerCase()}
          </Button>
        </Blocked>
        <Blocked reason={offline}>
          <Button busy={decline.busy} disabled={approve.busy} onClick={() => decline.run(address)}>
            Decline
          </Button>
        </Blocked>
      </div>
      {failure && (
        <Notice kind="bad" role="alert">
          {failure.message}
        </Notice>
      )}
    </>
  );
}
