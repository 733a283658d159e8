/** @module Reads one address and shows what it holds. */
import type { ProjectServer } from "@fettle/contract";
import { type ReactNode, useState } from "react";
import { useCommandFacts } from "../../../kit/command-facts.ts";
import { ResourceContent } from "../../../kit/content-view/content-block.tsx";
import { FailureView } from "../../../kit/failure-view.tsx";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { type ResourceContents, readResource } from "../queries.ts";

export interface ReadPanelProps {
  server: ProjectServer;
  title: string;
  about?: string | undefined;
  /** Undefined while it is not complete. */
  uri: string | undefined;
  /** Above the address: the variables of a template. */
  children?: ReactNode;
}

export function ReadPanel({ server, title, about, uri, children }: ReadPanelProps) {
  const [read, setRead] = useState<{ uri: string; contents: ResourceContents[] }>();
  const [view, setView] = useState<"content" | "raw">("content");
  const reading = useAction(
    async (address: string) => ({
      uri: address,
      contents: await readResource({ projectId: server.projectId, serverId: server.id }, address),
    }),
    setRead,
  );
  useCommandFacts({ uri });
  return (
    <>
      <Panel
        title={title}
        about={about && <VisibleText text={about} />}
        footer={
          <>
            <span className="flex min-w-0 items-center gap-1">
              <code className="break-all text-code">{uri ?? "Fill in the variables above."}</code>
              {uri && <CopyButton small label="Copy address" text={uri} />}
            </span>
            <Button
              look="primary"
              busy={reading.busy}
              disabled={!uri}
              onClick={() => uri && reading.run(uri)}
            >
              Read
            </Button>
          </>
        }
      >
        {children ?? (
          <p className="text-soft">Reading asks the server for what this address holds right now.</p>
        )}
      </Panel>
      {reading.failure && (
        <FailureView failure={reading.failure} what="the resource" onRetry={() => uri && reading.run(uri)} />
      )}
      {read && !reading.failure && (
        <div data-testid="resource-content">
          <Panel
            title="Contents"
            about={<span className="break-all">{read.uri}</span>}
            aside={
              <Choice
                label="Show the contents as"
                hideLabel
                as="segments"
                options={[
                  { value: "content", label: "Content" },
                  { value: "raw", label: "Raw" },
                ]}
                value={view}
                onChange={setView}
              />
            }
          >
            <div className="stack gap-4">
              {view === "raw" && <JsonView value={read.contents} label="contents" />}
              {view === "content" && read.contents.length === 0 && (
                <p className="text-soft">It holds nothing.</p>
              )}
              {view === "content" &&
                read.contents.map((content, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: what was read never changes.
                  <div key={at} className="stack gap-1.5">
                    {typeof content.mimeType === "string" && (
                      <div>
                        <Chip plain>{content.mimeType}</Chip>
                      </div>
                    )}
                    <ResourceContent content={content} label={content.uri} />
                  </div>
                ))}
            </div>
          </Panel>
        </div>
      )}
    </>
  );
}
