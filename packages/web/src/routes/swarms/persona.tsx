/** @module `/p/:pid/swarms/personas/:peid`: who somebody is. */
import { useNavigate } from "@tanstack/react-router";
import { useOperation } from "../../api/operation.ts";
import { PersonaFields } from "../../features/swarms/parts/persona-fields.tsx";
import { TakeOut } from "../../features/swarms/parts/take-out.tsx";
import { ValuesEditor } from "../../features/swarms/parts/values-editor.tsx";
import { personaValues } from "../../features/swarms/values.ts";
import { GoneNotice } from "../../kit/gone-notice.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { useChange } from "../../kit/use-change.ts";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { pagePath } from "../../pages/pages.ts";

export function PersonaPage() {
  const { pid = "", peid = "" } = useOpenPage().parameters;
  const address = { projectId: pid, personaId: peid };
  const query = useOperation("getPersona", address);
  const navigate = useNavigate();
  const remove = useChange("deletePersona", () => void navigate({ to: pagePath("personas", { pid }) }));
  const { data } = query;
  return (
    <PageFrame
      id="persona"
      title={data?.name ?? "Persona"}
      about={data?.role}
      actions={
        data && (
          <TakeOut name={data.name} verb="Delete" action={{ ...remove, run: () => remove.run(address) }}>
            <p>
              Runs that were played by them stay as they are. A persona that a journey still uses cannot be
              deleted: archive the journey first.
            </p>
          </TakeOut>
        )
      }
    >
      <GoneNotice query={query} what="persona" />
      <Loaded query={query} what="the persona">
        {(persona) => (
          <ValuesEditor key={persona.id} kind="persona" stored={persona} valuesOf={personaValues}>
            {(values, set) => <PersonaFields values={values} set={set} />}
          </ValuesEditor>
        )}
      </Loaded>
    </PageFrame>
  );
}
