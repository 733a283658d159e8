/** @module Which model answers: those that can be had, each with its price. */
import type { Model } from "@fettle/contract/models";
import { useOperation } from "../api/operation.ts";
import { Select, type SelectProps } from "../ui/select.tsx";

/** Answers without a key and for nothing. */
export const ruleModel = "fettle/rules-1";

export interface ModelSelectProps extends Omit<SelectProps, "options"> {
  organizationId: string;
  /** Chosen already, and kept in the list when nobody offers it any more. */
  current?: string;
  /** What choosing none means; without it one has to be chosen. */
  none?: string;
}

export function ModelSelect({ organizationId, current, none, ...rest }: ModelSelectProps) {
  const models = useOperation("listModels", { query: { organizationId } }).data?.items ?? [];
  const offered = models.filter(({ available }) => available !== false);
  const isOffered = current === undefined || offered.some(({ id }) => id === current);
  return (
    <Select
      {...rest}
      options={[
        ...(none === undefined ? [] : [{ value: "", label: none }]),
        ...offered.map((model) => ({ value: model.id, label: `${model.id} · ${priceWords(model)}` })),
        ...(isOffered ? [] : [{ value: current, label: current }]),
      ]}
    />
  );
}

function priceWords({ source, price }: Model): string {
  if (source === "builtin") return "free, fixed rules";
  if (!price) return "no price known";
  return `$${price.inputPerMTok} in, $${price.outputPerMTok} out for a million tokens`;
}
