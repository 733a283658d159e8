/** @module What an address holds: as it reads, as its source, as it came, and what is another than before. */
import { useEffect, useRef, useState } from "react";
import { ResourceContent } from "../../../kit/content-view/content-block.tsx";
import { FailureView } from "../../../kit/failure-view.tsx";
import { JsonDiffView } from "../../../kit/json-diff/json-diff-view.tsx";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { Loading } from "../../../kit/loading.tsx";
import { Markdown } from "../../../kit/markdown.tsx";
import { bringIntoView, Pane } from "../../../kit/panes.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { Time } from "../../../ui/time.tsx";
import type { ResourceContents } from "../queries.ts";
import type { Reading } from "../use-reading.ts";

type View = "rendered" | "source" | "raw" | "changes";

export function Contents({ reading, uri }: { reading: Reading; uri: string | undefined }) {
  const { now, before, at, failure, busy } = reading;
  const [chosen, setChosen] = useState<View>("rendered");
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    if (uri !== undefined) bringIntoView(pane);
  }, [uri]);
  const view = chosen === "changes" && !before ? "rendered" : chosen;
  return (
    <Pane
      ref={pane}
      title="Contents"
      aside={
        now && (
          <Choice
            label="Show the contents as"
            hideLabel
            as="segments"
            options={[
              { value: "rendered", label: "Rendered" },
              { value: "source", label: "Source" },
              { value: "raw", label: "Raw" },
              ...(before ? [{ value: "changes" as const, label: "Changes" }] : []),
            ]}
            value={view}
            onChange={setChosen}
          />
        )
      }
    >
      {failure && <FailureView failure={failure} what="the resource" onRetry={reading.again} />}
      {uri === undefined && <p className="text-faint text-sm">What the address holds appears here.</p>}
      {uri !== undefined && !now && !failure && <Loading what="the resource" />}
      {now && !failure && (
        <div data-testid="resource-content" aria-busy={busy} className="stack gap-4">
          <p className="flex flex-wrap items-center gap-2 text-sm text-soft">
            <span>
              Read <Time at={at} />
            </span>
            {before && <Chip tone="accent">changed</Chip>}
          </p>
          {view === "raw" && <JsonView value={now} label="contents" />}
          {view === "changes" && before && (
            <JsonDiffView
              label="What changed"
              before={before}
              after={now}
              beforeName="Before"
              afterName="Now"
            />
          )}
          {(view === "rendered" || view === "source") && now.length === 0 && (
            <p className="text-soft">It holds nothing.</p>
          )}
          {(view === "rendered" || view === "source") &&
            now.map((content, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: what was read never changes places.
              <div key={place} className="stack gap-1.5">
                {typeof content.mimeType === "string" && (
                  <div>
                    <Chip plain>{content.mimeType}</Chip>
                  </div>
                )}
                <OneContent content={content} view={view} />
              </div>
            ))}
        </div>
      )}
    </Pane>
  );
}

/** Markup of other kinds is never drawn on this page: it is the server's. */
function OneContent({ content, view }: { content: ResourceContents; view: "rendered" | "source" }) {
  const { text, mimeType, uri } = content;
  if (typeof text !== "string") return <ResourceContent content={content} label={uri} />;
  if (view === "source") {
    return (
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard.
        tabIndex={0}
        aria-label={`Source of ${uri}`}
        className="overflow-auto whitespace-pre-wrap break-words rounded-control border border-line bg-sunken px-3 py-2.5 font-mono text-code"
      >
        <VisibleText text={text} />
      </section>
    );
  }
  if (typeof mimeType === "string" && /^text\/(x-)?markdown\b/.test(mimeType))
    return <Markdown text={text} label={uri} />;
  return <ResourceContent content={content} label={uri} />;
}
