/** @module The fields of a large object under headings. What no heading claims, and every key the schema does not know, comes last. */
import type { ReactNode } from "react";
import type { JsonObject } from "../../lib/json-exact.ts";
import type { Field } from "./field.ts";
import { FieldView } from "./field-view.tsx";
import { ObjectFields } from "./object-fields.tsx";

export interface FieldGroup {
  title: string;
  about?: string;
  fields: readonly string[];
  /** Stands in the fields' place where they are edited elsewhere. */
  instead?: ReactNode;
}

export interface FieldGroupsProps {
  field: Extract<Field, { kind: "object" }>;
  value: JsonObject | undefined;
  groups: readonly FieldGroup[];
}

export function FieldGroups({ field, value = {}, groups }: FieldGroupsProps) {
  const claimed = new Set(groups.flatMap(({ fields }) => fields));
  const only = (isWanted: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(value).filter(([name]) => isWanted(name)));
  return (
    <div className="stack gap-8">
      {groups.map(({ title, about, fields, instead }) => (
        <Group key={title} title={title} about={about}>
          {instead ?? (
            <ObjectFields
              View={FieldView}
              field={{
                ...field,
                properties: fields.flatMap((name) => field.properties.filter((each) => each.name === name)),
                patterns: [],
                others: false,
              }}
              value={only((name) => fields.includes(name))}
              path={[]}
            />
          )}
        </Group>
      ))}
      <Group title="Everything else" about="Settings this page has no place for are kept as they are.">
        <ObjectFields
          View={FieldView}
          field={{ ...field, properties: field.properties.filter(({ name }) => !claimed.has(name)) }}
          value={only((name) => !claimed.has(name))}
          path={[]}
        />
      </Group>
    </div>
  );
}

function Group({
  title,
  about,
  children,
}: Pick<FieldGroup, "title"> & { about: string | undefined; children: ReactNode }) {
  return (
    <section aria-label={title} className="stack gap-4">
      <header className="border-line border-b pb-1.5">
        <h4 className="font-semibold text-base">{title}</h4>
        {about && <p className="text-faint text-sm">{about}</p>}
      </header>
      {children}
    </section>
  );
}
