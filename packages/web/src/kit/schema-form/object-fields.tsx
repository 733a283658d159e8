/** @module The fields of an object: those the schema names, then every other key the value has, then a way to add one. */
import { Plus, X } from "lucide-react";
import { useState } from "react";
import type { JsonObject } from "../../lib/json-exact.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Input } from "../../ui/input.tsx";
import type { Field } from "./field.ts";
import { FieldView } from "./field-view.tsx";
import { useEditing } from "./form-context.ts";
import { blankValue, type Path, schemaOfOther } from "./value.ts";

export interface ObjectFieldsProps {
  field: Extract<Field, { kind: "object" }>;
  value: JsonObject | undefined;
  path: Path;
}

export function ObjectFields({ field, value = {}, path }: ObjectFieldsProps) {
  const { set } = useEditing();
  const others = Object.keys(value).filter((name) => !field.properties.some((each) => each.name === name));
  return (
    <div className="stack gap-4">
      {field.properties.map(({ name, schema, required }) => (
        <FieldView
          key={name}
          name={name}
          schema={schema}
          value={Object.hasOwn(value, name) ? value[name] : undefined}
          path={[...path, name]}
          required={required}
        />
      ))}
      {others.map((name) => (
        <FieldView
          key={`+${name}`}
          name={name}
          schema={schemaOfOther(field, name)}
          value={value[name]}
          path={[...path, name]}
          required
          aside={
            <IconButton label={`Remove ${name}`} onClick={() => set([...path, name], undefined)}>
              <X aria-hidden="true" className="size-3.5" />
            </IconButton>
          }
        />
      ))}
      {(field.others !== false || field.patterns.length > 0) && (
        <AddKey field={field} taken={[...field.properties.map(({ name }) => name), ...others]} path={path} />
      )}
    </div>
  );
}

/** Free keys are offered openly in a map, and behind a quiet button where the schema merely does not forbid them. */
function AddKey({ field, taken, path }: { field: ObjectFieldsProps["field"]; taken: string[]; path: Path }) {
  const { root, set } = useEditing();
  const [name, setName] = useState<string>();
  const isMap = field.properties.length === 0;
  if (name === undefined) {
    return (
      <div>
        <Button
          look={isMap ? "secondary" : "quiet"}
          icon={<Plus aria-hidden="true" className="size-3.5" />}
          onClick={() => setName("")}
        >
          {isMap ? "Add key" : "Add another key"}
        </Button>
      </div>
    );
  }
  const isTaken = taken.includes(name);
  const add = () => {
    if (name === "" || isTaken) return;
    set([...path, name], blankValue(schemaOfOther(field, name), root));
    setName(undefined);
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Input
        autoFocus
        aria-label="Name of the new key"
        placeholder="name"
        autoComplete="off"
        spellCheck={false}
        value={name}
        aria-invalid={isTaken || undefined}
        className="max-w-56 font-mono"
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") setName(undefined);
          if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          add();
        }}
      />
      <Button disabled={name === "" || isTaken} onClick={add}>
        Add
      </Button>
      <Button look="quiet" onClick={() => setName(undefined)}>
        Cancel
      </Button>
      {isTaken && <span className="text-bad text-sm">There is a key of that name.</span>}
    </div>
  );
}
