/** @module One of several shapes: which one, and its own fields. */
import { useRef, useState } from "react";
import type { Json } from "../../lib/json-exact.ts";
import { Select } from "../../ui/select.tsx";
import type { Field } from "./field.ts";
import type { HoldsFields } from "./field-view-props.ts";
import { useEditing } from "./form-context.ts";
import { blankValue, optionOf, type Path } from "./value.ts";

export interface UnionChoiceProps extends HoldsFields {
  field: Extract<Field, { kind: "union" }>;
  value: Json | undefined;
  path: Path;
  id: string;
  layer: number;
}

export function UnionChoice({ View, field, value, path, id, layer }: UnionChoiceProps) {
  const { root, set } = useEditing();
  // A shape that was just chosen may look like another as long as nothing is filled in.
  const [picked, setPicked] = useState<number>();
  const chosen = value === undefined ? undefined : optionOf(field.options, value, root, picked);
  const shape = chosen === undefined ? undefined : field.options[chosen];
  // What was filled in for a shape is there again when one comes back to it.
  const left = useRef(new Map<number, Json>());
  const choose = (next: number) => {
    const option = field.options[next];
    if (!option) return;
    setPicked(next);
    if (chosen !== undefined && value !== undefined) left.current.set(chosen, value);
    set(path, left.current.get(next) ?? blankValue(option.schema, root));
  };
  return (
    <div className="stack gap-3">
      <Select
        id={`${id}-shape`}
        aria-label={`Shape of ${path.at(-1) ?? "the value"}`}
        className="max-w-96"
        value={chosen === undefined ? "" : String(chosen)}
        options={[
          ...(chosen === undefined
            ? [{ value: "", label: value === undefined ? "Choose …" : "Another shape" }]
            : []),
          ...field.options.map(({ label }, at) => ({ value: String(at), label })),
        ]}
        onChange={(event) => choose(Number(event.target.value))}
      />
      {value !== undefined && (
        <div className="border-line border-l-2 pl-4">
          <View
            name={shape ? shape.label : "value"}
            schema={shape ? shape.schema : true}
            value={value}
            path={path}
            required
            layer={layer + 1}
          />
        </div>
      )}
    </div>
  );
}
