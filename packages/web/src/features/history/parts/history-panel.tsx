/** @module What was done with a server, the latest first, narrowed by kind and outcome. New entries appear by themselves. */
import type { ProjectServer, ServerHistoryEntry } from "@fettle/contract/servers";
import {
  type HistoryKind,
  type HistoryOutcome,
  historyKinds,
  historyOutcomes,
} from "@fettle/contract/servers";
import { useInfiniteQuery } from "@tanstack/react-query";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { ShowMore } from "../../../kit/list/show-more.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { isLocal } from "../../../lib/local.ts";
import { RowLink } from "../../../pages/row-link.tsx";
import { Select } from "../../../ui/select.tsx";
import { Time } from "../../../ui/time.tsx";
import { kindWords, outcomeLooks } from "../history-words.ts";
import { historyQuery } from "../queries.ts";
import { OutcomeChip } from "./outcome-chip.tsx";

const kindOptions = [
  { value: "", label: "All kinds" },
  ...historyKinds.map((kind) => ({ value: kind, label: kindWords[kind] })),
];
const outcomeOptions = [
  { value: "", label: "All outcomes" },
  ...historyOutcomes.map((outcome) => ({ value: outcome, label: outcomeLooks[outcome].word })),
];

type TextState = [string, (value: string) => void];

export interface HistoryPanelProps {
  server: ProjectServer;
  /** What is shown, as the address says; empty: all. */
  kind: TextState;
  outcome: TextState;
}

export function HistoryPanel({
  server,
  kind: [kind, setKind],
  outcome: [outcome, setOutcome],
}: HistoryPanelProps) {
  const filter = {
    ...(isKind(kind) && { kind }),
    ...(isOutcome(outcome) && { outcome }),
  };
  const query = useInfiniteQuery(historyQuery({ projectId: server.projectId, serverId: server.id }, filter));
  return (
    <section aria-label="History" className="stack gap-3">
      <div className="flex flex-wrap gap-2">
        <Select
          aria-label="Kind"
          className="max-w-72 sm:max-w-44"
          options={kindOptions}
          value={kind}
          onChange={(event) => setKind(event.target.value)}
        />
        <Select
          aria-label="Outcome"
          className="max-w-72 sm:max-w-44"
          options={outcomeOptions}
          value={outcome}
          onChange={(event) => setOutcome(event.target.value)}
        />
      </div>
      <Loaded query={query} what="the history">
        {({ pages }) => {
          const entries = pages.flatMap(({ items }) => items);
          return entries.length === 0 ? (
            <p className="text-soft">
              {kind || outcome
                ? "Nothing of this kind."
                : "Nothing was done with this server yet. Checks and calls appear here as they are made."}
            </p>
          ) : (
            <HistoryTable server={server} entries={entries} more={query.hasNextPage} />
          );
        }}
      </Loaded>
      <ShowMore query={query} />
    </section>
  );
}

interface HistoryTableProps {
  server: ProjectServer;
  entries: readonly ServerHistoryEntry[];
  more: boolean;
}

function HistoryTable({ server, entries, more }: HistoryTableProps) {
  return (
    <DataTable<ServerHistoryEntry>
      caption="What was done with the server"
      columns={[
        {
          id: "what",
          header: "What",
          cell: ({ id, at, kind, subject, summary }) => (
            <RowLink
              page="server-history-entry"
              params={{ pid: server.projectId, sid: server.id, hid: id }}
              note={
                <>
                  <span className="md:hidden">
                    <Time at={at} /> ·{" "}
                  </span>
                  <VisibleText text={summary} />
                </>
              }
            >
              {kindWords[kind]}
              {subject && (
                <span className="ml-2 font-mono font-normal text-code">
                  <VisibleText text={subject} />
                </span>
              )}
            </RowLink>
          ),
        },
        {
          id: "outcome",
          header: "Outcome",
          cell: ({ outcome, code }) => <OutcomeChip outcome={outcome} title={code ?? ""} />,
        },
        {
          id: "took",
          header: "Took",
          wideOnly: true,
          align: "end",
          cell: ({ durationMs }) => <span className="text-soft tabular-nums">{durationMs} ms</span>,
        },
        // On one's own machine it is always oneself.
        ...(isLocal
          ? []
          : [
              {
                id: "by",
                header: "By",
                wideOnly: true,
                cell: ({ by }: ServerHistoryEntry) => by?.name ?? "Nobody known",
              },
            ]),
        { id: "at", header: "When", wideOnly: true, align: "end", cell: ({ at }) => <Time at={at} /> },
      ]}
      items={entries}
      keyOf={({ id }) => id}
      more={more}
      noun={["entry", "entries"]}
    />
  );
}

const isKind = (word: string): word is HistoryKind => historyKinds.some((kind) => kind === word);
const isOutcome = (word: string): word is HistoryOutcome =>
  historyOutcomes.some((outcome) => outcome === word);
