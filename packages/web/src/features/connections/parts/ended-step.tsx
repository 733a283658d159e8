/** @module How a request ended: connected and where to go, or why not, whether trying again can help, and how. */
import type { ConnectionConsent } from "@fettle/contract/servers";
import { CircleCheck } from "lucide-react";
import { useLoad } from "../../../kit/use-load.ts";
import { buttonClass } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { countTools } from "../queries.ts";
import { advice } from "../request-words.ts";
import { StartAgain } from "./start-again.tsx";

export interface EndedStepProps {
  consent: ConnectionConsent;
  /** Where the connected server's pages are. */
  serverPage: string | undefined;
  onStarted: (requestId: string) => void;
}

export function EndedStep({ consent, serverPage, onStarted }: EndedStepProps) {
  const { status, error } = consent;
  if (status === "ready") return <Connected consent={consent} serverPage={serverPage} />;
  return (
    <>
      {status === "failed" && error && (
        <Notice kind="bad" role="alert" title={sentenceEnd(error.message)}>
          {advice[error.code]}
          <p className="mt-1 text-faint">
            <code>{error.code}</code>
            {error.retryable ? " · starting again may help" : " · starting again changes nothing by itself"}
          </p>
        </Notice>
      )}
      {status === "expired" && (
        <Notice kind="warn">
          A request is open for one hour. Nothing was saved and nothing is kept of it; start again when you
          are ready.
        </Notice>
      )}
      {status === "cancelled" && (
        <Notice kind="info">
          It was given up, here or elsewhere, or a newer request took its place. Nothing was saved.
        </Notice>
      )}
      <StartAgain consent={consent} onStarted={onStarted} />
    </>
  );
}

function Connected({ consent, serverPage }: Pick<EndedStepProps, "consent" | "serverPage">) {
  const { projectId, serverId, project } = consent;
  return (
    <>
      <p className="flex items-start gap-2.5 text-base text-soft">
        <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-good-mark" />
        <span>
          {project ? `Saved in ${project.name}.` : "Saved."}{" "}
          {projectId && serverId && <ToolCount projectId={projectId} serverId={serverId} />} You can close
          this page.
        </span>
      </p>
      {serverPage && (
        <a href={serverPage} className={buttonClass("primary", true)}>
          Open the server
        </a>
      )}
    </>
  );
}

/** Asked of the server itself: the first call over the new connection. */
function ToolCount({ projectId, serverId }: { projectId: string; serverId: string }) {
  const { data } = useLoad((signal) => countTools(projectId, serverId, signal));
  if (!data) return null;
  const { count, more } = data;
  return (
    <span data-testid="tool-count" data-count={count}>
      It offers {more && "more than "}
      {count === 1 ? "one tool" : `${count} tools`}.
    </span>
  );
}

/** A title has no full stop; the rest of the text follows below. */
function sentenceEnd(text: string): string {
  return text.replace(/\.$/, "");
}
