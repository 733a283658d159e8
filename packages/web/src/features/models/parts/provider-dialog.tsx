/** @module Sets a provider up, or changes it. The key goes in and is never shown again, here or anywhere. */
import { modelLimits, textLimits } from "@fettle/contract/core";
import type { ModelProvider } from "@fettle/contract/models";
import { useState } from "react";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { toast } from "../../../ui/toast.tsx";
import { modelLines, readModelLines } from "../model-lines.ts";

const custom = "custom";

export interface ProviderDialogProps {
  organizationId: string;
  providers: readonly ModelProvider[];
  /** Absent: it is chosen here. */
  provider?: ModelProvider | undefined;
  onClose: () => void;
}

export function ProviderDialog({ organizationId, providers, provider, onClose }: ProviderDialogProps) {
  const [chosenId, setChosenId] = useState(provider?.provider ?? providers[0]?.provider ?? custom);
  const [fault, setFault] = useState<string>();
  const chosen = providers.find((candidate) => candidate.provider === chosenId);
  const save = useChange("setModelProvider", ({ name, credentialsDropped }) => {
    const isDropped = credentialsDropped.length > 0;
    toast(isDropped ? `${name} has moved, so its key did not go along: enter it again` : `${name} is saved`);
    onClose();
  });
  const send = (values: FormData) => {
    const read = readModelLines(String(values.get("models")));
    if ("fault" in read) return setFault(read.fault);
    setFault(undefined);
    const apiKey = String(values.get("apiKey")).trim();
    save.run({
      organizationId,
      provider: chosen?.provider ?? `custom:${String(values.get("slug")).trim()}`,
      body: {
        ...(apiKey !== "" && { apiKey }),
        baseUrl: String(values.get("baseUrl")).trim() || null,
        models: read.models,
      },
    });
  };
  return (
    <FormDialog
      title={provider ? `Change ${provider.name}` : "Add a provider"}
      description="Used by everything in this organization that calls its models."
      submit="Save"
      action={save}
      {...(fault !== undefined && { errors: { models: fault } })}
      onClose={onClose}
      onSubmit={send}
    >
      {!provider && (
        <Field label="Provider" name="provider">
          {(control) => (
            <Select
              {...control}
              value={chosenId}
              onChange={(event) => setChosenId(event.target.value)}
              options={[
                ...providers.map((each) => ({ value: each.provider, label: each.name })),
                { value: custom, label: "Another one that speaks OpenAI's API" },
              ]}
            />
          )}
        </Field>
      )}
      {!chosen && (
        <Field
          label="Name"
          name="slug"
          hint="Small letters, digits and hyphens. Its models are called custom:name:model."
        >
          {(control) => (
            <Input
              {...control}
              required
              pattern="[a-z0-9][a-z0-9\-]{0,39}"
              autoComplete="off"
              placeholder="vllm"
            />
          )}
        </Field>
      )}
      <ProviderFields key={chosenId} provider={chosen} />
    </FormDialog>
  );
}

/** Begin anew for each provider. */
function ProviderFields({ provider }: { provider: ModelProvider | undefined }) {
  const held = provider?.key;
  const usual = provider?.usualBaseUrl ?? null;
  return (
    <>
      <Field
        label="Key"
        name="apiKey"
        optional={!provider?.needsKey || held != null}
        hint={
          held
            ? `One that ends in ${held.lastFour} is stored. Leave this empty to keep it.`
            : "Stored sealed, and never shown again."
        }
      >
        {(control) => (
          <Input
            {...control}
            type="password"
            maxLength={modelLimits.keyLength}
            autoComplete="off"
            spellCheck={false}
            data-1p-ignore=""
          />
        )}
      </Field>
      <Field
        label="Address"
        name="baseUrl"
        optional={usual !== null}
        hint={
          held
            ? "A key belongs to the place it was entered for: at another one, enter it again."
            : usual !== null && `Usually ${usual}.`
        }
      >
        {(control) => (
          <Input
            {...control}
            type="url"
            required={usual === null}
            maxLength={textLimits.addressLength}
            autoComplete="off"
            defaultValue={provider?.baseUrl ?? ""}
            placeholder={usual ?? "https://models.example.com/v1"}
          />
        )}
      </Field>
      <Field
        label="Models to offer"
        name="models"
        optional
        hint="One a line. Behind the name, what a million tokens cost in dollars, in and out: a daily limit needs it."
      >
        {(control) => (
          <Textarea
            {...control}
            className="font-mono text-code"
            spellCheck={false}
            defaultValue={modelLines(provider?.models ?? [])}
            placeholder="model-name 0.40 1.60"
          />
        )}
      </Field>
    </>
  );
}
