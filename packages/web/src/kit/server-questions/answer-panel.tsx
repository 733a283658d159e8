/** @module A server's question beside the call it belongs to: a form or JSON to answer with, ways to say no, and the question as it came. */
import { useState } from "react";
import { answerQuestion, type ServerQuestion } from "../../api/server-questions.ts";
import { isJsonObject, type Json, type JsonObject } from "../../lib/json-exact.ts";
import { Button } from "../../ui/button.tsx";
import { AskedAddress } from "../asked-address.tsx";
import { FormFailure } from "../form-failure.tsx";
import { JsonView } from "../json-view/json-view.tsx";
import type { FormState } from "../schema-form/form-state.ts";
import { type FormMode, SchemaForm } from "../schema-form/schema-form.tsx";
import { missingParts, startingValue } from "../schema-form/value.ts";
import { useAction } from "../use-action.ts";
import { VisibleText } from "../visible-text.tsx";
import { SamplingQuestion } from "./sampling-question.tsx";

export function AnswerPanel({ question }: { question: ServerQuestion }) {
  const { method, params } = question;
  return (
    <section
      data-testid="server-question"
      data-method={method}
      aria-label="The server asks"
      className="stack gap-4 rounded-panel border border-accent/50 bg-surface p-4"
    >
      <p className="font-semibold text-base">{titleOf(question)}</p>
      {question.candidates && <Candidates calls={question.candidates} />}
      {method === "sampling/createMessage" ? (
        <SamplingQuestion question={question} />
      ) : params.mode === "url" ? (
        <AddressQuestion question={question} />
      ) : (
        <FormQuestion question={question} />
      )}
      <details>
        <summary className="w-fit rounded-[4px] text-sm text-soft">The request as it came</summary>
        <div className="mt-2">
          <JsonView value={{ method, params }} label="request" openDepth={2} />
        </div>
      </details>
    </section>
  );
}

function titleOf({ method, params }: ServerQuestion): string {
  if (method === "sampling/createMessage") return "The server asks for a model's answer";
  return params.mode === "url" ? "The server asks you to open an address" : "The server asks you";
}

/** Over stdio and on a shared stream a server does not say which call it asks for. */
function Candidates({ calls }: { calls: NonNullable<ServerQuestion["candidates"]> }) {
  const names = calls.map(({ method, name }) => (name === undefined ? method : `${method} ${name}`));
  return (
    <p data-testid="question-candidates" className="text-soft text-sm">
      The server didn't say which open call this is for: <VisibleText text={names.join(", ")} />. One answer
      is sent, whichever call you answer from.
    </p>
  );
}

function useAnswer(question: ServerQuestion) {
  return useAction((result: JsonObject) => answerQuestion(question, { result }));
}

/** Declining is an answer; cancelling is none. */
function NoButtons({ busy, onSay }: { busy: boolean; onSay: (action: "decline" | "cancel") => void }) {
  return (
    <>
      <Button busy={busy} onClick={() => onSay("decline")}>
        Decline
      </Button>
      <Button look="quiet" busy={busy} onClick={() => onSay("cancel")}>
        Dismiss
      </Button>
    </>
  );
}

function FormQuestion({ question }: { question: ServerQuestion }) {
  const schema: Json = question.params.requestedSchema ?? { type: "object" };
  const [state, setState] = useState<FormState>(() => ({
    value: startingValue(schema, schema) ?? {},
    drafts: {},
  }));
  const [mode, setMode] = useState<FormMode>("form");
  const answer = useAnswer(question);
  const isReady = Object.keys(state.drafts).length === 0 && isJsonObject(state.value);
  const missing = missingParts(schema, schema, state.value).map((path) => path.join("."));
  return (
    <form
      noValidate
      aria-label="Your answer"
      className="stack gap-4"
      onSubmit={(event) => event.preventDefault()}
    >
      <Message params={question.params} />
      <SchemaForm
        label="Answer"
        schema={schema}
        state={state}
        onChange={setState}
        mode={mode}
        onMode={setMode}
      />
      {missing.length > 0 && <p className="text-faint text-sm">Required: {missing.join(", ")}</p>}
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          busy={answer.busy}
          aria-disabled={isReady ? undefined : true}
          onClick={() => answer.run({ action: "accept", content: state.value ?? {} })}
        >
          {missing.length > 0 ? "Accept anyway" : "Accept"}
        </Button>
        <NoButtons busy={answer.busy} onSay={(action) => answer.run({ action })} />
      </div>
      <FormFailure failure={answer.failure} />
    </form>
  );
}

function AddressQuestion({ question }: { question: ServerQuestion }) {
  const { message, url } = question.params;
  const answer = useAnswer(question);
  return (
    <div className="stack gap-4">
      <AskedAddress message={message} address={String(url ?? "")} />
      <div className="flex flex-wrap gap-2">
        <Button look="primary" busy={answer.busy} onClick={() => answer.run({ action: "accept" })}>
          Accept
        </Button>
        <NoButtons busy={answer.busy} onSay={(action) => answer.run({ action })} />
      </div>
      <FormFailure failure={answer.failure} />
    </div>
  );
}

function Message({ params }: { params: JsonObject }) {
  if (typeof params.message !== "string") return null;
  return (
    <p className="whitespace-pre-line">
      <VisibleText text={params.message} />
    </p>
  );
}
