/** @module One prompt: its arguments, and its messages as they would reach a model. */
import { escapeHidden, type ProjectServer } from "@fettle/contract";
import { useState } from "react";
import { useCommandFacts } from "../../../kit/command-facts.ts";
import { ContentBlock } from "../../../kit/content-view/content-block.tsx";
import { FailureView } from "../../../kit/failure-view.tsx";
import type { FormState } from "../../../kit/schema-form/form-state.ts";
import { type FormMode, SchemaForm } from "../../../kit/schema-form/schema-form.tsx";
import { missingParts } from "../../../kit/schema-form/value.ts";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { isJsonObject } from "../../../lib/json-exact.ts";
import { Chip } from "../../../ui/chip.tsx";
import { Form } from "../../../ui/form.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { schemaOfPrompt } from "../prompt-schema.ts";
import { type Prompt, type PromptMessage, renderPrompt } from "../queries.ts";

export function PromptPanel({ server, prompt }: { server: ProjectServer; prompt: Prompt }) {
  const schema = schemaOfPrompt(prompt);
  const [state, setState] = useState<FormState>({ value: {}, drafts: {} });
  const [mode, setMode] = useState<FormMode>("form");
  const values = isJsonObject(state.value) ? state.value : {};
  const missing = missingParts(schema, schema, values).map((path) => path.join("."));
  const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  useCommandFacts({ prompt: prompt.name, arguments: escapeHidden(JSON.stringify(texts)) });
  const render = useAction(() =>
    renderPrompt({ projectId: server.projectId, serverId: server.id }, prompt.name, texts).then(setRendered),
  );
  const [rendered, setRendered] = useState<{ messages: PromptMessage[] }>();
  const isReady = Object.keys(state.drafts).length === 0;
  return (
    <>
      <Form label={`Arguments of ${prompt.name}`} onSubmit={() => isReady && render.run()}>
        <Panel
          title={prompt.name}
          about={typeof prompt.title === "string" ? <VisibleText text={prompt.title} /> : undefined}
          footer={
            <>
              <span>{missing.length > 0 ? `Required: ${missing.join(", ")}` : "Ready to render."}</span>
              <SubmitButton busy={render.busy} disabled={!isReady}>
                {missing.length > 0 ? "Render anyway" : "Render"}
              </SubmitButton>
            </>
          }
        >
          <div className="stack gap-5">
            {typeof prompt.description === "string" && (
              <p className="max-w-[70ch] whitespace-pre-line text-soft">
                <VisibleText text={prompt.description} />
              </p>
            )}
            {Object.keys(schema.properties ?? {}).length > 0 ? (
              <SchemaForm
                label="Arguments"
                schema={schema}
                state={state}
                onChange={setState}
                mode={mode}
                onMode={setMode}
              />
            ) : (
              <p className="text-soft">It takes no arguments.</p>
            )}
          </div>
        </Panel>
      </Form>
      {render.failure && <FailureView failure={render.failure} what="the prompt" onRetry={render.run} />}
      {rendered && !render.failure && (
        <section data-testid="prompt-messages" aria-label="Messages" className="stack gap-3">
          <h2 className="font-semibold text-lg">Messages</h2>
          {rendered.messages.map((message, at) => (
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
        </section>
      )}
    </>
  );
}
