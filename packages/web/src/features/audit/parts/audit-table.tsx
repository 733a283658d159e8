/** @module Who did what, the latest first, narrowed by person, action and time. */
import { must } from "@fettle/contract/formats";
import type { AuditEntry } from "@fettle/contract/notices";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useOperation } from "../../../api/operation.ts";
import { textColumn, timeColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { ShowMore } from "../../../kit/list/show-more.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Button } from "../../../ui/button.tsx";
import { Select } from "../../../ui/select.tsx";
import { Time } from "../../../ui/time.tsx";
import { auditQuery } from "../queries.ts";

const dayMs = 24 * 60 * 60 * 1_000;
const spans = [
  { value: "", label: "All that is kept" },
  { value: "1", label: "The last day" },
  { value: "7", label: "The last 7 days" },
  { value: "30", label: "The last 30 days" },
];

type TextState = [string, (value: string) => void];

export interface AuditTableProps {
  organizationId: string;
  /** What is shown, as the address says; empty: all. */
  person: TextState;
  action: TextState;
  days: TextState;
}

export function AuditTable({
  organizationId,
  person: [userId, setPerson],
  action: [action, setAction],
  days: [days, setDays],
}: AuditTableProps) {
  const people = useOperation("listMembers", { organizationId }).data?.items ?? [];
  // Fixed when the page is opened: a moment that moves would read everything anew.
  const [openedAt] = useState(() => Date.now());
  const since = Number(days) > 0 ? { since: openedAt - Number(days) * dayMs } : {};
  const query = useInfiniteQuery(
    auditQuery(organizationId, { ...(action && { action }), ...(userId && { userId }), ...since }),
  );
  return (
    <section aria-label="Audit log" className="stack gap-3">
      <div className="flex flex-wrap gap-2">
        <Select
          aria-label="Person"
          className="max-w-72 sm:max-w-56"
          value={userId}
          onChange={(event) => setPerson(event.target.value)}
          options={[
            { value: "", label: "Everybody" },
            ...people.map((each) => ({ value: each.userId, label: each.name })),
          ]}
        />
        <Select
          aria-label="Time"
          className="max-w-72 sm:max-w-44"
          value={days}
          onChange={(event) => setDays(event.target.value)}
          options={spans}
        />
        {action !== "" && <Button onClick={() => setAction("")}>Show other actions too</Button>}
      </div>
      <Loaded query={query} what="the audit log">
        {({ pages }) => {
          const entries = pages.flatMap(({ items }) => items);
          const { keptDays } = must(pages[0], "the first page of what was read");
          return (
            <>
              {entries.length === 0 ? (
                <p className="text-soft">Nothing is written down of that.</p>
              ) : (
                <Entries entries={entries} more={query.hasNextPage} onAction={setAction} />
              )}
              <p className="text-faint text-sm">
                Entries are kept for {keptDays} days and cannot be changed. Values that were sent are not in
                them.
              </p>
            </>
          );
        }}
      </Loaded>
      <ShowMore query={query}>Show older</ShowMore>
    </section>
  );
}

interface EntriesProps {
  entries: readonly AuditEntry[];
  more: boolean;
  onAction: (action: string) => void;
}

function Entries({ entries, more, onAction }: EntriesProps) {
  return (
    <DataTable<AuditEntry>
      caption="Who did what"
      columns={[
        {
          id: "what",
          header: "What",
          cell: ({ action, what, targetName, targetId, fields, detail }) => (
            <span className="grid justify-items-start">
              <button
                type="button"
                data-row-focus=""
                className="text-left font-medium hover:underline"
                title={`Only ${action}`}
                onClick={() => onAction(action)}
              >
                {what}
              </button>
              <span className="break-words text-faint text-xs">
                <VisibleText
                  text={[
                    targetName ?? targetId,
                    wordsOf(detail),
                    fields.filter((field) => !(field in detail)).join(", "),
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                />
              </span>
            </span>
          ),
        },
        textColumn("Who", ({ at, by, way, keyId }) => (
          <span className="grid min-w-28 md:whitespace-nowrap">
            <span>{by?.name ?? "Nobody known"}</span>
            <span className="text-faint text-xs">{way === "key" ? `API key ${keyId}` : ways[way]}</span>
            <span className="text-faint text-xs md:hidden">
              <Time at={at} />
            </span>
          </span>
        )),
        textColumn("From", ({ ipAddress }) => <code className="text-xs">{ipAddress ?? "not known"}</code>, {
          wideOnly: true,
        }),
        timeColumn("When", ({ at }) => at, { align: "end", className: "whitespace-nowrap" }),
      ]}
      items={entries}
      keyOf={({ id }) => id}
      more={more}
      noun={["entry", "entries"]}
    />
  );
}

const ways = { browser: "On the pages", cli: "On the command line", operator: "On the machine itself" };

const wordsOf = (detail: Record<string, string>) =>
  Object.entries(detail)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
