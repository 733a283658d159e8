/** @module A server asks for a model's answer: what it wants said, and the answer, written by hand or by a model, and sent by the person. */
import { useState } from "react";
import { useOperation } from "../../api/operation.ts";
import { answerQuestion, type ServerQuestion } from "../../api/server-questions.ts";
import { isJsonObject, type Json, type JsonObject } from "../../lib/json-exact.ts";
import { readStored, writeStored } from "../../lib/storage.ts";
import { Button } from "../../ui/button.tsx";
import { ContentBlock } from "../content-view/content-block.tsx";
import { FormFailure } from "../form-failure.tsx";
import { ModelSelect, ruleModel } from "../model-select.tsx";
import type { FormState } from "../schema-form/form-state.ts";
import { type FormMode, SchemaForm } from "../schema-form/schema-form.tsx";
import { useAction } from "../use-action.ts";
import { useChange } from "../use-change.ts";
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
      <ModelAnswer question={question} onAnswer={(value) => setState({ value, drafts: {} })} />
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

/** Fills in what a model says; nothing goes to the server before the person has seen it. */
function ModelAnswer({
  question: { address, params },
  onAnswer,
}: {
  question: ServerQuestion;
  onAnswer: (value: JsonObject) => void;
}) {
  const { projectId } = address;
  const organizationId = useOperation("getProject", { projectId }).data?.organizationId;
  const [model, setModel] = useState(() => {
    const chosen = readStored("sampling-model");
    return typeof chosen === "string" ? chosen : ruleModel;
  });
  const asking = useChange("sampleForServer", ({ result }) => onAnswer(result));
  if (organizationId === undefined) return null;
  return (
    <div className="stack gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <ModelSelect
          aria-label="Model that answers"
          className="min-w-0 max-w-72 flex-1"
          organizationId={organizationId}
          current={model}
          value={model}
          onChange={({ target }) => {
            setModel(target.value);
            writeStored("sampling-model", target.value);
          }}
        />
        <Button busy={asking.busy} onClick={() => asking.run({ ...address, body: { model, params } })}>
          Let it answer
        </Button>
      </div>
      <FormFailure failure={asking.failure} />
    </div>
  );
}

function blocksOf(content: Json | undefined): Json[] {
  return Array.isArray(content) ? content : content === undefined ? [] : [content];
}
