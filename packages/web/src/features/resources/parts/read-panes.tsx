/** @module One address: what is said of it in one pane, what it holds in the next. */
import type { ProjectServer } from "@fettle/contract/servers";
import { Bell, BellOff, RefreshCw } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState, useSyncExternalStore } from "react";
import { changesOf, follow } from "../../../api/server-changes.ts";
import { useCommandFacts } from "../../../kit/command-facts.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { Pane } from "../../../kit/panes.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import type { JsonObject } from "../../../lib/json-exact.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { useReading } from "../use-reading.ts";

/** Empty until something was read. */
const Contents = lazy(async () => ({ default: (await import("./contents.tsx")).Contents }));

export interface ReadPanesProps {
  server: ProjectServer;
  title: string;
  /** As the server sent it. */
  definition: JsonObject;
  /** Undefined while it is not complete. */
  uri: string | undefined;
  /** Read as soon as it is chosen. */
  isReadAtOnce?: boolean;
  /** The variables of a template. */
  children?: ReactNode;
}

export function ReadPanes({
  server,
  title,
  definition,
  uri,
  isReadAtOnce = false,
  children,
}: ReadPanesProps) {
  const address = { projectId: server.projectId, serverId: server.id };
  const [asked, setAsked] = useState(isReadAtOnce ? uri : undefined);
  const reading = useReading(address, asked);
  useCommandFacts({ uri });
  const read = () => {
    if (uri === undefined) return;
    if (uri === asked) reading.again();
    else setAsked(uri);
  };
  return (
    <>
      <Pane
        title={title}
        foot={
          <>
            {uri && <FollowButton server={server} uri={uri} />}
            <Button
              look="primary"
              className="ml-auto"
              busy={reading.busy}
              disabled={!uri}
              icon={<RefreshCw aria-hidden="true" className="size-3.5" />}
              onClick={read}
            >
              {uri !== undefined && uri === asked ? "Read again" : "Read"}
            </Button>
          </>
        }
      >
        <form
          noValidate
          aria-label={`Address of ${title}`}
          className="stack gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            read();
          }}
        >
          {typeof definition.description === "string" && (
            <p className="max-w-[70ch] whitespace-pre-line text-soft">
              <VisibleText text={definition.description} />
            </p>
          )}
          {children}
          <p className="flex items-center gap-1 text-sm">
            <code className="break-all text-code">{uri ?? "Fill in the variables above."}</code>
            {uri && <CopyButton small label="Copy address" text={uri} />}
          </p>
        </form>
        <details className="mt-5">
          <summary className="w-fit rounded-[4px] text-sm text-soft">
            Definition as the server sent it
          </summary>
          <div className="mt-2">
            <JsonView value={definition} label="definition" openDepth={2} />
          </div>
        </details>
      </Pane>
      <Suspense fallback={<Pane title="Contents">{null}</Pane>}>
        <Contents reading={reading} uri={asked} />
      </Suspense>
    </>
  );
}

function FollowButton({ server, uri }: { server: ProjectServer; uri: string }) {
  const { subscribe, get } = changesOf(server.id);
  const { followed, failure } = useSyncExternalStore(subscribe, get);
  const isFollowed = followed.includes(uri);
  return (
    <span className="stack gap-1">
      <Button
        aria-pressed={isFollowed}
        title="The server tells when it changes, and it is then read again."
        icon={
          isFollowed ? (
            <BellOff aria-hidden="true" className="size-3.5" />
          ) : (
            <Bell aria-hidden="true" className="size-3.5" />
          )
        }
        onClick={() => follow(server.id, uri, !isFollowed)}
      >
        {isFollowed ? "Unsubscribe" : "Subscribe"}
      </Button>
      <FormFailure failure={failure ?? null} />
    </span>
  );
}
