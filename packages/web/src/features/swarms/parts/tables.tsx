/** @module The lists of swarms, journeys and personas. */
import type { Journey, Persona, Swarm } from "@fettle/contract/visitors";
import { Drama, Route, User } from "lucide-react";
import { textColumn, timeColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { RowLink } from "../../../pages/row-link.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { many } from "../run-words.ts";

interface ListProps<Item> {
  pid: string;
  items: readonly Item[];
  more: boolean;
}

const budgetText = ({ sessionsPerTarget, maxTurns }: Pick<Swarm, "sessionsPerTarget" | "maxTurns">) =>
  `${many(sessionsPerTarget, "session")}, ${many(maxTurns, "turn")} at most`;

export function SwarmTable({ pid, items, more }: ListProps<Swarm>) {
  return (
    <DataTable<Swarm>
      caption="Swarms"
      noun={["swarm", "swarms"]}
      items={items}
      more={more}
      keyOf={({ id }) => id}
      columns={[
        {
          id: "name",
          header: "Swarm",
          cell: ({ id, name, description }) => (
            <RowLink page="swarm-matrix" params={{ pid, swid: id }} icon={Drama} note={description}>
              {name}
            </RowLink>
          ),
        },
        textColumn("New journeys begin with", budgetText, { wideOnly: true }),
        timeColumn("Changed", ({ updatedAt }) => updatedAt, { align: "end" }),
      ]}
    />
  );
}

export interface JourneyTableProps extends ListProps<Journey> {
  personas: ReadonlyMap<string, Persona>;
}

export function JourneyTable({ pid, items, more, personas }: JourneyTableProps) {
  return (
    <DataTable<Journey>
      caption="Journeys"
      noun={["journey", "journeys"]}
      items={items}
      more={more}
      keyOf={({ id }) => id}
      columns={[
        {
          id: "name",
          header: "Journey",
          cell: ({ id, name, goal }) => (
            <RowLink
              page="journey-results"
              params={{ pid, jid: id }}
              icon={Route}
              note={goal === name ? null : goal}
            >
              {name}
            </RowLink>
          ),
        },
        textColumn("Persona", ({ personaId }) => personas.get(personaId)?.name ?? ""),
        textColumn(
          "Targets",
          ({ environmentIds, hostIds = [] }) =>
            environmentIds.length + hostIds.length === 0 ? (
              <Chip tone="warn">None yet</Chip>
            ) : (
              many(environmentIds.length + hostIds.length, "target")
            ),
          { wideOnly: true },
        ),
        textColumn("On each", budgetText, { wideOnly: true }),
      ]}
    />
  );
}

const sources: Record<Persona["source"], string> = {
  manual: "",
  generated: "Drafted",
  cluster: "From visitors",
};

export function PersonaTable({ pid, items, more }: ListProps<Persona>) {
  return (
    <DataTable<Persona>
      caption="Personas"
      noun={["persona", "personas"]}
      items={items}
      more={more}
      keyOf={({ id }) => id}
      columns={[
        {
          id: "name",
          header: "Persona",
          cell: ({ id, name, notes, source }) => (
            <RowLink
              page="persona"
              params={{ pid, peid: id }}
              icon={User}
              note={notes}
              chip={sources[source] !== "" && <Chip plain>{sources[source]}</Chip>}
            >
              {name}
            </RowLink>
          ),
        },
        textColumn("Role", ({ role }) => role),
        timeColumn("Changed", ({ updatedAt }) => updatedAt, { align: "end" }),
      ]}
    />
  );
}
