/** @module One prompt: its arguments in one pane, its messages as they would reach a model in the next. */
import { escapeHidden } from "@fettle/contract/formats";
import type { ProjectServer } from "@fettle/contract/servers";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { completer } from "../../../api/completions.ts";
import { useCommandFacts } from "../../../kit/command-facts.ts";
import { ContentBlock } from "../../../kit/content-view/content-block.tsx";
import { FailureView } from "../../../kit/failure-view.tsx";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { bringIntoView, Pane } from "../../../kit/panes.tsx";
import type { FormState } from "../../../kit/schema-form/form-state.ts";
import { type FormMode, SchemaForm } from "../../../kit/schema-form/schema-form.tsx";
import { missingParts } from "../../../kit/schema-form/value.ts";
import { useAction } from "../../../kit/use-action.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { isJsonObject } from "../../../lib/json-exact.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { schemaOfPrompt } from "../prompt-schema.ts";
import { type Prompt, type PromptMessage, renderPrompt } from "../queries.ts";

export interface PromptPanesProps {
  server: ProjectServer;
  prompt: Prompt;
  /** Somebody chose it, so that one which takes nothing is rendered at once. */
  isChosen: boolean;
}

export function PromptPanes({ server, prompt, isChosen }: PromptPanesProps) {
  const { id: serverId, projectId } = server;
  const schema = schemaOfPrompt(prompt);
  const takesNothing = Object.keys(schema.properties ?? {}).length === 0;
  const [state, setState] = useState<FormState>({ value: {}, drafts: {} });
  const [mode, setMode] = useState<FormMode>("form");
  const values = isJsonObject(state.value) ? state.value : {};
  const missing = missingParts(schema, schema, values).map((path) => path.join("."));
  const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  useCommandFacts({ prompt: prompt.name, arguments: escapeHidden(JSON.stringify(texts)) });
  const [rendered, setRendered] = useState<{ messages: PromptMessage[] }>();
  const render = useAction(() => renderPrompt({ projectId, serverId }, prompt.name, texts), setRendered);
  const complete = useMemo(
    () => completer({ projectId, serverId }, { prompt: prompt.name }),
    [projectId, serverId, prompt.name],
  );
  const isReady = Object.keys(state.drafts).length === 0;
  const { run } = render;
  useEffect(() => {
    if (isChosen && takesNothing) run();
  }, [isChosen, takesNothing, run]);
  return (
    <>
      <Pane
        title={prompt.name}
        foot={
          <>
            <span>{missing.length > 0 ? `Required: ${missing.join(", ")}` : "Ready to render."}</span>
            <Button look="primary" busy={render.busy} disabled={!isReady} onClick={run}>
              {missing.length > 0 ? "Render anyway" : "Render"}
            </Button>
          </>
        }
      >
        <form
          noValidate
          aria-label={`Arguments of ${prompt.name}`}
          className="stack gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady) run();
          }}
        >
          {typeof prompt.title === "string" && (
            <p className="font-medium">
              <VisibleText text={prompt.title} />
            </p>
          )}
          {typeof prompt.description === "string" && (
            <p className="max-w-[70ch] whitespace-pre-line text-soft">
              <VisibleText text={prompt.description} />
            </p>
          )}
          {takesNothing ? (
            <p className="text-soft">It takes no arguments.</p>
          ) : (
            <SchemaForm
              label="Arguments"
              schema={schema}
              state={state}
              onChange={setState}
              mode={mode}
              onMode={setMode}
              complete={complete}
            />
          )}
        </form>
      </Pane>
      <Messages
        rendered={rendered}
        failure={render.failure && <FailureView failure={render.failure} what="the prompt" onRetry={run} />}
      />
    </>
  );
}

type View = "content" | "raw";

function Messages({
  rendered,
  failure,
}: {
  rendered: { messages: PromptMessage[] } | undefined;
  failure: ReactNode;
}) {
  const [view, setView] = useState<View>("content");
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    if (rendered) bringIntoView(pane);
  }, [rendered]);
  return (
    <Pane
      ref={pane}
      title="Messages"
      aside={
        rendered && (
          <Choice
            label="Show the messages as"
            hideLabel
            as="segments"
            options={[
              { value: "content", label: "Content" },
              { value: "raw", label: "Raw" },
            ]}
            value={view}
            onChange={setView}
          />
        )
      }
    >
      {failure}
      {!rendered && !failure && <p className="text-faint text-sm">What a model would get appears here.</p>}
      {rendered && !failure && (
        <div data-testid="prompt-messages" className="stack gap-3">
          {view === "raw" && <JsonView value={{ ...rendered }} label="result" openDepth={3} />}
          {view === "content" &&
            rendered.messages.map((message, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rendered messages never change places.
              <article key={at} className="grid gap-2 rounded-panel border border-line bg-surface p-4">
                <div>
                  <Chip plain tone={message.role === "user" ? "info" : "accent"}>
                    {message.role}
                  </Chip>
                </div>
                <ContentBlock block={message.content ?? null} label={`message ${at + 1}`} />
              </article>
            ))}
        </div>
      )}
    </Pane>
  );
}
