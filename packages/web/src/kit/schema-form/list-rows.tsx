/** @module A list: one row an item, added, moved and removed by buttons. */
import { Plus } from "lucide-react";
import type { Json } from "../../lib/json-exact.ts";
import { moved } from "../../lib/moved.ts";
import { Button } from "../../ui/button.tsx";
import type { Field } from "./field.ts";
import type { HoldsFields } from "./field-view-props.ts";
import { useEditing } from "./form-context.ts";
import { ListButtons } from "./list-buttons.tsx";
import { blankValue, type Path } from "./value.ts";

export interface ListRowsProps extends HoldsFields {
  field: Extract<Field, { kind: "list" }>;
  value: readonly Json[];
  path: Path;
}

const icon = "size-3.5";

export function ListRows({ View, field, value, path }: ListRowsProps) {
  const { root, set } = useEditing();
  const schemaAt = (at: number) => field.first[at] ?? field.rest;
  const mayAdd = schemaAt(value.length) !== false;
  return (
    <div className="grid gap-3 border-line border-l-2 pl-4">
      {value.map((item, at) => (
        <View
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their place.
          key={at}
          name={`${at + 1}`}
          schema={schemaAt(at)}
          value={item}
          path={[...path, at]}
          required
          aside={
            <ListButtons
              what={`item ${at + 1}`}
              at={at}
              count={value.length}
              onMove={(to) => set(path, moved(value, at, to))}
              onRemove={() => set(path, value.toSpliced(at, 1))}
            />
          }
        />
      ))}
      {mayAdd && (
        <div>
          <Button
            icon={<Plus aria-hidden="true" className={icon} />}
            onClick={() => set(path, [...value, blankValue(schemaAt(value.length), root)])}
          >
            Add item<span className="sr-only"> to {path.at(-1) ?? "the list"}</span>
          </Button>
        </div>
      )}
    </div>
  );
}
