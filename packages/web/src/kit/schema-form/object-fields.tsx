/** @module The fields of an object: those the schema names, then every other key the value has, then a way to add one. */
import { Plus, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { JsonObject } from "../../lib/json-exact.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Input } from "../../ui/input.tsx";
import type { Field } from "./field.ts";
import type { HoldsFields } from "./field-view-props.ts";
import { useEditing } from "./form-context.ts";
import { blankValue, type Path, schemaOfOther } from "./value.ts";

export interface ObjectFieldsProps extends HoldsFields {
  field: Extract<Field, { kind: "object" }>;
  value: JsonObject | undefined;
  path: Path;
  /** What need not be sent waits behind one line, unless it is all there is. */
  foldsOptional?: boolean;
}

export function ObjectFields({ View, field, value = {}, path, foldsOptional = false }: ObjectFieldsProps) {
  const { set } = useEditing();
  const isFolding = foldsOptional && field.properties.some(({ required }) => required);
  const inSight = field.properties.filter(({ required }) => !isFolding || required);
  const folded = field.properties.filter((each) => !inSight.includes(each));
  const others = Object.keys(value).filter((name) => !field.properties.some((each) => each.name === name));
  const view = ({ name, schema, required }: Property) => (
    <View
      key={name}
      name={name}
      schema={schema}
      value={Object.hasOwn(value, name) ? value[name] : undefined}
      path={[...path, name]}
      required={required}
    />
  );
  return (
    <div className="stack gap-4">
      {inSight.map(view)}
      {folded.length > 0 && <Folded properties={folded} value={value} view={view} />}
      {others.map((name) => (
        <View
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

type Property = ObjectFieldsProps["field"]["properties"][number];

/** Named in its line, so that nothing has to be opened to know what there is. */
function Folded(props: {
  properties: readonly Property[];
  value: JsonObject;
  view: (property: Property) => ReactNode;
}) {
  const { properties, value } = props;
  const [isOpen, setOpen] = useState(false);
  const sent = properties.filter(({ name }) => Object.hasOwn(value, name)).length;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-w-0 rounded-[4px] py-1 text-sm text-soft">
        {properties.length} optional: {properties.map(({ name }) => name).join(", ")}
        {sent > 0 && <span className="text-faint"> ({sent} sent)</span>}
      </summary>
      {/* Kept while folded: a text that is no value yet must not be lost. */}
      <div className="stack mt-3 gap-4">{properties.map(props.view)}</div>
    </details>
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
