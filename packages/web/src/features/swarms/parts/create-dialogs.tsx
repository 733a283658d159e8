/** @module Makes a persona, a swarm or a journey. */
import type { Journey, Persona, Swarm } from "@fettle/contract/visitors";
import { useState } from "react";
import { change, type InputOf, useOperation } from "../../../api/operation.ts";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { type DraftedJourney, withDraft } from "../drafts.ts";
import { choices } from "../queries.ts";
import { createBody, emptyJourney, emptyPersona, emptySwarm, type PersonaValues } from "../values.ts";
import { DraftFromServer } from "./draft-from-server.tsx";
import { JourneyFields } from "./journey-fields.tsx";
import { PersonaFields } from "./persona-fields.tsx";
import { SwarmFields } from "./swarm-fields.tsx";

const draftsToChooseFrom = 3;

interface CreateProps<Thing> {
  projectId: string;
  onClose: () => void;
  onCreated: (thing: Thing) => void;
}

export function CreatePersonaDialog({ projectId, onClose, onCreated }: CreateProps<Persona>) {
  const [values, setValues] = useState<PersonaValues>(emptyPersona);
  const existing = useOperation("listPersonas", { projectId, ...choices }).data?.items ?? [];
  const create = useChange("createPersona", onCreated);
  return (
    <FormDialog
      title="New persona"
      description="Somebody who asks. The same persona can try many goals."
      submit="Create persona"
      action={create}
      onClose={onClose}
      onSubmit={() =>
        // Only fields of a persona are in it.
        create.run({ projectId, body: createBody(values) as InputOf<"createPersona">["body"] })
      }
    >
      <DraftFromServer<PersonaValues>
        projectId={projectId}
        ask={(ground) =>
          change("generatePersonas", {
            projectId,
            body: {
              ...ground,
              personaCount: draftsToChooseFrom,
              existingPersonas: existing.map(({ name, role }) => ({ name, role })),
            },
          })
        }
        draftsOf={({ personas = [] }) => personas.map(({ persona }) => persona)}
        nameOf={({ name, role }) => `${name}, ${role}`}
        onTake={setValues}
      />
      <PersonaFields values={values} set={(next) => setValues({ ...values, ...next })} />
    </FormDialog>
  );
}

export function CreateSwarmDialog({ projectId, onClose, onCreated }: CreateProps<Swarm>) {
  const [values, setValues] = useState(emptySwarm);
  const create = useChange("createSwarm", onCreated);
  return (
    <FormDialog
      title="New swarm"
      description="Journeys that belong together, and what new ones begin with."
      submit="Create swarm"
      action={create}
      onClose={onClose}
      onSubmit={() =>
        // Only fields of a swarm are in it.
        create.run({ projectId, body: createBody(values) as InputOf<"createSwarm">["body"] })
      }
    >
      <SwarmFields
        projectId={projectId}
        values={values}
        set={(change) => setValues({ ...values, ...change })}
      />
    </FormDialog>
  );
}

export interface CreateJourneyDialogProps extends CreateProps<Journey> {
  /** The swarm it is made in; a choice where it is not said. */
  swarm?: Swarm;
}

export function CreateJourneyDialog({ projectId, swarm, onClose, onCreated }: CreateJourneyDialogProps) {
  const personas = useOperation("listPersonas", { projectId, ...choices }).data?.items;
  const swarms = useOperation("listSwarms", { projectId, ...choices }, { enabled: !swarm }).data?.items ?? [];
  const [values, setValues] = useState(() => emptyJourney(swarm));
  const [chosen, setChosen] = useState("");
  const [swarmId, setSwarmId] = useState(swarm?.id ?? "");
  const create = useChange("createJourney", onCreated);
  const personaId = chosen || personas?.[0]?.id;
  const persona = personas?.find(({ id }) => id === personaId);
  return (
    <FormDialog
      wide
      title="New journey"
      description="One goal of one persona. It is held to two checks that fit every goal; more are added in its settings."
      submit="Create journey"
      action={create}
      ready={personaId !== undefined}
      onClose={onClose}
      onSubmit={() =>
        create.run({
          projectId,
          body: {
            ...(createBody(values) as Omit<InputOf<"createJourney">["body"], "personaId">),
            personaId: personaId as never,
            ...(swarmId !== "" && { swarmId: swarmId as never }),
          },
        })
      }
    >
      <Field
        label="Persona"
        name="personaId"
        hint={personas?.length === 0 ? "There is none yet: make one first." : undefined}
        aside={
          <PageLink act page="personas" params={{ pid: projectId }} className="text-accent-text underline">
            New persona
          </PageLink>
        }
      >
        {(control) => (
          <Select
            {...control}
            required
            value={personaId ?? ""}
            onChange={({ target }) => setChosen(target.value)}
            options={(personas ?? []).map(({ id, name, role }) => ({ value: id, label: `${name}, ${role}` }))}
          />
        )}
      </Field>
      {!swarm && (
        <Field label="Swarm" name="swarmId" optional>
          {(control) => (
            <Select
              {...control}
              value={swarmId}
              onChange={({ target }) => setSwarmId(target.value)}
              options={[
                { value: "", label: "None" },
                ...swarms.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          )}
        </Field>
      )}
      {persona && (
        <DraftFromServer<DraftedJourney>
          projectId={projectId}
          ask={(ground) => {
            const { name, role, notes } = persona;
            const body = { ...ground, persona: { name, role, notes } };
            return change("generateJourneys", { projectId, body });
          }}
          draftsOf={({ journeys = [] }) => journeys}
          nameOf={({ name }) => name}
          cautionOf={({ caution }) => caution}
          onTake={(draft) => setValues((before) => ({ ...before, ...withDraft(before, draft) }))}
        />
      )}
      <JourneyFields
        isNew
        projectId={projectId}
        values={values}
        set={(next) => setValues({ ...values, ...next })}
      />
    </FormDialog>
  );
}
