/** @module One small call to a provider, and what came of it. */
import { modelLimits } from "@fettle/contract/core";
import type { ModelProvider, ModelTest } from "@fettle/contract/models";
import { useId, useState } from "react";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";

export interface TryDialogProps {
  organizationId: string;
  provider: ModelProvider;
  onClose: () => void;
}

export function TryDialog({ organizationId, provider, onClose }: TryDialogProps) {
  const [result, setResult] = useState<ModelTest>();
  const listId = useId();
  const attempt = useChange("testModelProvider", setResult);
  return (
    <FormDialog
      title={`Try ${provider.name}`}
      description="Asks one model for one word. It costs what such a call costs."
      submit={result ? "Try again" : "Try it"}
      action={attempt}
      onClose={onClose}
      onSubmit={(values) => {
        setResult(undefined);
        attempt.run({
          organizationId,
          provider: provider.provider,
          body: { model: String(values.get("model")) },
        });
      }}
    >
      <Field label="Model" name="model" hint="As the provider calls it.">
        {(control) => (
          <>
            <Input
              {...control}
              required
              maxLength={modelLimits.nameLength}
              autoComplete="off"
              spellCheck={false}
              list={listId}
              defaultValue={provider.models[0]?.model ?? ""}
            />
            <datalist id={listId}>
              {provider.models.map(({ model }) => (
                <option key={model} value={model} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <div role="status" data-testid="model-test" data-state={stateOf(attempt.busy, result)}>
        {result && <Result result={result} />}
      </div>
    </FormDialog>
  );
}

function stateOf(busy: boolean, result: ModelTest | undefined): "idle" | "running" | "ok" | "failed" {
  if (busy) return "running";
  if (!result) return "idle";
  return result.ok ? "ok" : "failed";
}

function Result({ result }: { result: ModelTest }) {
  if (result.ok) {
    return (
      <Notice kind="good" title={`It answered in ${result.latencyMs} ms`}>
        <VisibleText text={result.text} />
      </Notice>
    );
  }
  return (
    <Notice kind="bad" title={titles[result.code] ?? "It did not answer"}>
      <p>
        <VisibleText text={result.message} />
      </p>
      {result.hint && <p className="mt-1 text-soft">{result.hint}</p>}
    </Notice>
  );
}

const titles: Record<string, string> = {
  MODEL_CONFIGURATION_INVALID: "The address may not be reached",
  MODEL_CONNECTION: "It cannot be reached",
  MODEL_KEY_REFUSED: "The key was refused",
  MODEL_NOT_FOUND: "There is no such model",
  MODEL_PRICE_UNKNOWN: "Its price is not known",
  MODEL_RATE_LIMITED: "It limits the rate",
  MODEL_REQUEST_REFUSED: "It refused the request",
  MODEL_SPEND_LIMIT: "The daily limit is reached",
  MODEL_TIMEOUT: "No answer in time",
};
