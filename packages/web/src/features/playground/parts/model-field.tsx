/** @module Which model a conversation is begun with: one of the list, one by its name, or what the environment or client says. */
import type { Model } from "@fettle/contract/models";
import { useState } from "react";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import { rulesModel, type Start } from "../start.ts";

export interface Setting {
  start: Start;
  set: (change: Partial<Start>) => void;
}

/** No model has this name. */
const another = "another";

export function ModelField({ models, start, set }: Setting & { models: readonly Model[] }) {
  const [isAnother, setAnother] = useState(false);
  const bringsModel = start.speaksTo === "environment" || start.clientId !== "";
  const choose = (chosen: string) => {
    setAnother(chosen === another);
    set({ modelId: chosen === another ? "" : chosen });
  };
  return (
    <div className="stack content-start gap-2">
      <Field
        label="Model"
        hint={
          start.modelId === rulesModel
            ? "Built-in rules (no model) pick a tool by its words. No key, no cost, and no real understanding."
            : "Each turn is paid at its provider."
        }
      >
        {(control) => (
          <Select
            {...control}
            value={isAnother ? another : start.modelId}
            onChange={(event) => choose(event.target.value)}
            options={[
              ...(bringsModel ? [{ value: "", label: "As the environment or client says" }] : []),
              ...models.map(modelOption),
              { value: another, label: "Another model …" },
            ]}
          />
        )}
      </Field>
      {isAnother && (
        <Field label="Name of the model" hint="As provider/model, of a provider that is set up.">
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              spellCheck={false}
              className="font-mono"
              value={start.modelId}
              onChange={(event) => set({ modelId: event.target.value.trim() })}
            />
          )}
        </Field>
      )}
    </div>
  );
}

function modelOption({ id, name = id, available = true, unavailableReason = "not available" }: Model) {
  const label = id === rulesModel ? `${id} (rules, not a language model)` : name;
  return { value: id, label: available ? label : `${label}: ${unavailableReason}`, disabled: !available };
}
