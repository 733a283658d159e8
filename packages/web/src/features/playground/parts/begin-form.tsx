/** @module Begins a conversation: with which model, which servers, as whom, and how careful to be. */

import { chatLimits } from "@fettle/contract/core";
import type { Environment } from "@fettle/contract/environments";
import type { Model } from "@fettle/contract/models";
import type { ProjectServer } from "@fettle/contract/servers";
import { PageLink } from "../../../pages/page-link.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Select } from "../../../ui/select.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { rulesModel, type Start, withMode } from "../start.ts";
import { ModelField, type Setting } from "./model-field.tsx";

export interface Offers {
  models: readonly Model[];
  servers: readonly ProjectServer[];
  environments: readonly Pick<Environment, "id" | "name">[];
  clients: readonly { id: string; name: string }[];
}

export interface BeginFormProps {
  projectId: string;
  offers: Offers;
  start: Start;
  onChange: (start: Start) => void;
}

export function BeginForm({ projectId, offers, start, onChange }: BeginFormProps) {
  const set = (change: Partial<Start>) => onChange({ ...start, ...change });
  const { environments } = offers;
  return (
    <div className="stack gap-5">
      <div className="grid items-start gap-5 md:grid-cols-2">
        <ModelField models={offers.models} start={start} set={set} />
        {start.speaksTo === "servers" && (
          <Field label="Client" optional hint="Speak to the servers as this saved client would.">
            {(control) => (
              <Select
                {...control}
                value={start.clientId}
                onChange={(event) => set({ clientId: event.target.value })}
                options={[
                  { value: "", label: "Fettle itself" },
                  ...offers.clients.map(({ id, name }) => ({ value: id, label: name })),
                ]}
              />
            )}
          </Field>
        )}
      </div>
      <div className="stack gap-3">
        <Choice
          as="segments"
          label="Speak to"
          value={start.speaksTo}
          onChange={(speaksTo) =>
            set({ speaksTo, ...(speaksTo === "servers" && { modelId: start.modelId || rulesModel }) })
          }
          options={[
            { value: "servers", label: "Servers" },
            { value: "environment", label: "An environment" },
          ]}
        />
        {start.speaksTo === "servers" ? (
          <ServerChoice projectId={projectId} servers={offers.servers} start={start} set={set} />
        ) : (
          <Field label="Environment" hint="It brings its client, servers, skills and plugins along.">
            {(control) => (
              <Select
                {...control}
                value={start.environmentId}
                onChange={(event) => set({ environmentId: event.target.value })}
                options={[
                  { value: "", label: environments.length > 0 ? "Choose …" : "There is no environment yet" },
                  ...environments.map(({ id, name }) => ({ value: id, label: name ?? id })),
                ]}
              />
            )}
          </Field>
        )}
      </div>
      <Choice
        label="Tools"
        value={start.toolMode}
        onChange={(toolMode) => onChange(withMode(start, toolMode))}
        options={[
          {
            value: "read_only",
            label: "Only those that say they change nothing",
            hint: "A policy, not a guarantee: each server says so of its own tools.",
          },
          { value: "auto", label: "All of them", hint: "The model may call whatever the servers offer." },
        ]}
      />
      <Checkbox
        label="Ask me before each call"
        hint="You see the arguments and allow or refuse. A client may ask for this itself."
        checked={start.asks}
        onChange={(event) => set({ asks: event.target.checked })}
      />
      <Finer start={start} set={set} />
    </div>
  );
}

function ServerChoice({
  projectId,
  servers,
  start: { serverIds, clientId },
  set,
}: Setting & { projectId: string; servers: readonly ProjectServer[] }) {
  if (servers.length === 0) {
    return (
      <Notice kind="info">
        The project has no saved server yet.{" "}
        <PageLink act page="servers" params={{ pid: projectId }} className="underline underline-offset-2">
          Add one
        </PageLink>{" "}
        to talk to it.
      </Notice>
    );
  }
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">
        Servers
        {clientId !== "" && <span className="ml-1.5 font-normal text-faint">none: the client's own</span>}
      </legend>
      <div className="grid max-h-60 gap-1 overflow-y-auto rounded-control border border-line p-3 sm:grid-cols-2">
        {servers.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={<span className="break-words">{name}</span>}
            checked={serverIds.includes(id)}
            onChange={(event) =>
              set({
                serverIds: event.target.checked
                  ? [...serverIds, id].slice(0, chatLimits.servers)
                  : serverIds.filter((each) => each !== id),
              })
            }
          />
        ))}
      </div>
    </fieldset>
  );
}

function Finer({ start, set }: Setting) {
  return (
    <details>
      <summary className="w-fit rounded-[4px] text-soft text-sm">System prompt and temperature</summary>
      <div className="stack mt-3 gap-5">
        <Field label="System prompt" optional hint="What the model is told before anything else.">
          {(control) => (
            <Textarea
              {...control}
              maxLength={chatLimits.systemPromptLength}
              value={start.systemPrompt}
              onChange={(event) => set({ systemPrompt: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Temperature"
          optional
          hint={`From 0 to ${chatLimits.temperature}. Empty: the model's own.`}
        >
          {(control) => (
            <Input
              {...control}
              type="number"
              inputMode="decimal"
              min={0}
              max={chatLimits.temperature}
              step="0.1"
              className="max-w-32"
              value={start.temperature}
              onChange={(event) => set({ temperature: event.target.value })}
            />
          )}
        </Field>
      </div>
    </details>
  );
}
