/** @module How the calls that were made are held against the expected ones. */
import type { EvalMatchOptions } from "@fettle/contract/evals";
import { Field } from "../../../../ui/field.tsx";
import { Select } from "../../../../ui/select.tsx";
import { having } from "../suite-draft.ts";

export interface MatchFieldsProps {
  value: EvalMatchOptions | null | undefined;
  pointer: string;
  /** What an empty choice means. */
  usual: string;
  onChange: (value: EvalMatchOptions | undefined) => void;
}

const orders = [
  { value: "any", label: "In any order" },
  { value: "in-order", label: "In this order, others between" },
  { value: "exact", label: "Exactly these, in this order" },
];
const extras = ["unlimited", "0", "1", "2", "3", "5"].map((value) => ({
  value,
  label:
    value === "unlimited" ? "Any number of others" : value === "0" ? "No others" : `At most ${value} others`,
}));
const argumentModes = [
  { value: "partial", label: "The arguments named" },
  { value: "exact", label: "These arguments and no others" },
  { value: "ignore", label: "Whatever the arguments" },
];

export function MatchFields({ value, pointer, usual, onChange }: MatchFieldsProps) {
  const now = value ?? {};
  const set = (change: { [Key in keyof EvalMatchOptions]?: EvalMatchOptions[Key] | undefined }) => {
    const next = having(now, change);
    onChange(Object.keys(next).length === 0 ? undefined : next);
  };
  const none = { value: "", label: usual };
  const extra = now.extraToolCalls === undefined ? "" : String(now.extraToolCalls);
  const offered = extra === "" || extras.some((each) => each.value === extra);
  return (
    <fieldset className="grid min-w-0 gap-3 sm:grid-cols-3">
      <legend className="mb-2 font-medium text-sm">How expected calls are matched</legend>
      <Field label="Order" name={`${pointer}.toolCallOrder`}>
        {(control) => (
          <Select
            {...control}
            value={now.toolCallOrder ?? ""}
            options={[none, ...orders]}
            // The values are those of the contract, and the empty one means none.
            onChange={({ target }) =>
              set({ toolCallOrder: (target.value || undefined) as EvalMatchOptions["toolCallOrder"] })
            }
          />
        )}
      </Field>
      <Field label="Other calls" name={`${pointer}.extraToolCalls`}>
        {(control) => (
          <Select
            {...control}
            value={extra}
            options={[
              none,
              ...extras,
              ...(offered ? [] : [{ value: extra, label: `At most ${extra} others` }]),
            ]}
            onChange={({ target }) =>
              set({
                extraToolCalls:
                  target.value === ""
                    ? undefined
                    : target.value === "unlimited"
                      ? "unlimited"
                      : Number(target.value),
              })
            }
          />
        )}
      </Field>
      <Field label="Arguments" name={`${pointer}.arguments`}>
        {(control) => (
          <Select
            {...control}
            value={now.arguments ?? ""}
            options={[none, ...argumentModes]}
            onChange={({ target }) =>
              set({ arguments: (target.value || undefined) as EvalMatchOptions["arguments"] })
            }
          />
        )}
      </Field>
    </fieldset>
  );
}
