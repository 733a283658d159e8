/** @module A server asks for a model's answer: what it wants said, and the answer, written by hand. */
import { useState } from "react";
import { answerQuestion, type ServerQuestion } from "../../api/server-questions.ts";
import { isJsonObject, type Json, type JsonObject } from "../../lib/json-exact.ts";
import { Button } from "../../ui/button.tsx";
import { ContentBlock } from "../content-view/content-block.tsx";
import { FormFailure } from "../form-failure.tsx";
import type { FormState } from "../schema-form/form-state.ts";
import { type FormMode, SchemaForm } from "../schema-form/schema-form.tsx";
import { useAction } from "../use-action.ts";
import { VisibleText } from "../visible-text.tsx";

/** Of a result of `sampling/createMessage` that is a text; anything else can be written as JSON. */
const resultSchema: JsonObject = {
  type: "object",
  properties: {
    content: {
      type: "object",
      properties: {
        type: { const: "text" },
        text: { type: "string", maxLength: 10_000, description: "What the model would say" },
      },
      required: ["type", "text"],
    },
    model: { type: "string", description: "The name of the model that said it" },
    role: { const: "assistant" },
    stopReason: { type: "string" },
  },
  required: ["content", "model", "role"],
};

/** What a client says when a person refuses (the specification's own example). */
const refusal = { code: -1, message: "User rejected sampling request" };

export function SamplingQuestion({ question }: { question: ServerQuestion }) {
  const { systemPrompt, messages, maxTokens } = question.params;
  const [state, setState] = useState<FormState>({
    value: {
      content: { type: "text", text: "" },
      model: "a person",
      role: "assistant",
      stopReason: "endTurn",
    },
    drafts: {},
  });
  const [mode, setMode] = useState<FormMode>("form");
  const answer = useAction((result: JsonObject) => answerQuestion(question, { result }));
  const refuse = useAction(() => answerQuestion(question, { refusal }));
  const { value } = state;
  const isReady = Object.keys(state.drafts).length === 0 && isJsonObject(value);
  return (
    <div className="stack gap-4">
      {typeof systemPrompt === "string" && (
        <div className="text-sm">
          <p className="font-medium">System prompt</p>
          <p className="whitespace-pre-line text-soft">
            <VisibleText text={systemPrompt} />
          </p>
        </div>
      )}
      {(Array.isArray(messages) ? messages : []).filter(isJsonObject).map((message, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was asked never changes.
        <div key={at} className="stack gap-1 text-sm">
          <p className="font-medium">{String(message.role)}</p>
          {blocksOf(message.content).map((block, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was asked never changes.
            <ContentBlock key={place} block={block} label={`message ${at + 1}`} />
          ))}
        </div>
      ))}
      {typeof maxTokens === "number" && (
        <p className="text-faint text-sm">At most {maxTokens} tokens are wanted.</p>
      )}
      <SchemaForm
        label="Answer"
        schema={resultSchema}
        state={state}
        onChange={setState}
        mode={mode}
        onMode={setMode}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          busy={answer.busy}
          aria-disabled={isReady ? undefined : true}
          onClick={() => isJsonObject(value) && answer.run(value)}
        >
          Send the answer
        </Button>
        <Button busy={refuse.busy} onClick={() => refuse.run()}>
          Refuse
        </Button>
      </div>
      <FormFailure failure={answer.failure ?? refuse.failure} />
    </div>
  );
}

function blocksOf(content: Json | undefined): Json[] {
  return Array.isArray(content) ? content : content === undefined ? [] : [content];
}
