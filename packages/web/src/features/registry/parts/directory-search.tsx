/** @module Searching the directories: words, which one, what kind of address. */
import type { DirectorySource } from "@fettle/contract/servers";
import { endpointKinds } from "@fettle/contract/servers";
import { useInfiniteQuery } from "@tanstack/react-query";
import { FilterInput } from "../../../kit/list/filter-input.tsx";
import { ShowMore } from "../../../kit/list/show-more.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { useSettled } from "../../../kit/use-settled.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Select } from "../../../ui/select.tsx";
import { directoryQuery, type Search } from "../queries.ts";
import { endpointWords } from "../registry-words.ts";
import { EntryTable } from "./entry-table.tsx";

const kindOptions = [
  { value: "", label: "Any address" },
  ...endpointKinds.map((kind) => ({ value: kind, label: endpointWords[kind] })),
];

export interface DirectorySearchProps {
  search: Search;
  onChange: (name: keyof Search, value: string) => void;
  sources: readonly DirectorySource[];
  installed: ReadonlySet<string>;
  onOpen: (id: string) => void;
}

export function DirectorySearch({ search, onChange, sources, installed, onOpen }: DirectorySearchProps) {
  const q = useSettled(search.q);
  const query = useInfiniteQuery(directoryQuery({ ...search, q }));
  const isNarrowed = Boolean(search.q || search.source || search.endpointKind || search.connectable);
  return (
    <section aria-label="Directories" className="stack gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <FilterInput label="Search servers" value={search.q} onChange={(value) => onChange("q", value)} />
        <Select
          aria-label="Directory"
          className="max-w-56"
          options={[
            { value: "", label: "All directories" },
            ...sources.map(({ source, liveCount }) => ({ value: source, label: `${source} (${liveCount})` })),
          ]}
          value={search.source}
          onChange={(event) => onChange("source", event.target.value)}
        />
        <Select
          aria-label="Kind of address"
          className="max-w-52"
          options={kindOptions}
          value={search.endpointKind}
          onChange={(event) => onChange("endpointKind", event.target.value)}
        />
        <Checkbox
          label="Can be installed"
          checked={search.connectable}
          onChange={() => onChange("connectable", search.connectable ? "" : "1")}
        />
      </div>
      {sources.map(
        ({ source, lastFault }) =>
          lastFault && (
            <Notice key={source} kind="warn" title={`${source} could not be read`}>
              {lastFault} What was read before is shown.
            </Notice>
          ),
      )}
      <Loaded query={query} what="the directories">
        {({ pages }) => {
          const entries = pages.flatMap(({ items }) => items);
          return entries.length === 0 ? (
            <p className="text-soft">
              {isNarrowed
                ? "No server is like that."
                : "No directory is set up. An operator sets FETTLE_REGISTRY_URL or FETTLE_REGISTRY_FILE."}
            </p>
          ) : (
            <EntryTable entries={entries} more={query.hasNextPage} installed={installed} onOpen={onOpen} />
          );
        }}
      </Loaded>
      <ShowMore query={query} />
    </section>
  );
}
