/** @module The messages between Fettle and a server: filtered, pinned, looked into, taken along. */
import { harOf } from "@fettle/contract/formats";
import type { ProjectServer } from "@fettle/contract/servers";
import { Activity, Download, Trash2 } from "lucide-react";
import { type ReactNode, useMemo, useState, useSyncExternalStore } from "react";
import { clearTraffic, type Traffic, trafficCapacity, trafficOf } from "../../../api/traffic.ts";
import { FilterInput } from "../../../kit/list/filter-input.tsx";
import { NothingMatches } from "../../../kit/list/nothing-matches.tsx";
import { StateView } from "../../../kit/state-view.tsx";
import { downloadJson } from "../../../lib/download.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { Select } from "../../../ui/select.tsx";
import { type ExchangeRow, exchangeRows, filterRows, type Shown } from "../exchanges.ts";
import { recordingOf } from "../recording.ts";
import { ExchangeDetail } from "./exchange-detail.tsx";
import { ExchangeList } from "./exchange-list.tsx";

interface Filtering {
  filter: string;
  onFilter: (filter: string) => void;
  /** At the end of the bar. */
  end?: ReactNode;
}

export interface MessageLogProps extends Filtering {
  server: ProjectServer;
}

const kindWords: Record<Shown, string> = {
  all: "Everything",
  calls: "Our requests",
  server: "From the server",
  widgets: "Of widgets",
  logs: "Server logs",
  failed: "Failed or canceled",
};
const kinds = Object.entries(kindWords).map(([value, label]) => ({ value, label }));

/** As they are caused by the tabs of this browser. */
export function MessageLog({ server, ...filtering }: MessageLogProps) {
  const traffic = useSyncExternalStore(trafficOf(server.id).subscribe, trafficOf(server.id).get);
  return (
    <Messages name={server.name} traffic={traffic} onClear={() => clearTraffic(server.id)} {...filtering} />
  );
}

export interface MessagesProps extends Filtering {
  /** Of the server. */
  name: string;
  traffic: Traffic;
  /** Absent where they only stand to be read. */
  onClear?: () => void;
}

export function Messages({ name, traffic, onClear, filter: text, onFilter, end }: MessagesProps) {
  const { entries, dropped } = traffic;
  const [shown, setShown] = useState<Shown>("all");
  const [selected, setSelected] = useState<number>();
  /** Kept as they were when what is around them is cleared. */
  const [pinned, setPinned] = useState<readonly ExchangeRow[]>([]);
  const rows = useMemo(() => exchangeRows(entries), [entries]);
  const pinnedKeys = useMemo(() => new Set(pinned.map(({ key }) => key)), [pinned]);
  const found = useMemo(() => filterRows(rows, text, shown), [rows, text, shown]);
  const gone = pinned.filter(({ key }) => !rows.some((row) => row.key === key));
  const listed = [...gone, ...found];
  const open = [...rows, ...gone].find(({ key }) => key === selected);
  const pin = (row: ExchangeRow) =>
    setPinned((before) =>
      before.some(({ key }) => key === row.key)
        ? before.filter(({ key }) => key !== row.key)
        : [...before, row],
    );
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
        <FilterInput
          label="Filter messages"
          hint="Words, or method:tools/call state:error took:>500"
          value={text}
          onChange={onFilter}
        />
        <Select
          aria-label="Show"
          className="max-w-44"
          value={shown}
          options={kinds}
          onChange={(event) => setShown(event.target.value as Shown)}
        />
        <span className="text-faint text-sm tabular-nums max-sm:hidden">
          {listed.length} {listed.length === 1 ? "row" : "rows"}
          {dropped > 0 &&
            `; the page keeps ${trafficCapacity.toLocaleString("en")} messages, ${dropped.toLocaleString("en")} older ones are gone`}
        </span>
        <span className="ml-auto flex items-center">
          <Menu
            align="end"
            trigger={
              <IconButton label="Export messages">
                <Download aria-hidden="true" className="size-4" />
              </IconButton>
            }
          >
            <MenuItem
              onSelect={() =>
                downloadJson(`${name}-http.har`, harOf(entries.filter((entry) => entry.kind === "http")))
              }
            >
              HAR (HTTP)
            </MenuItem>
            <MenuItem onSelect={() => downloadJson(`${name}-messages.json`, listed)}>
              JSON (rows shown)
            </MenuItem>
            <MenuItem onSelect={() => downloadJson(`${name}.recording.json`, recordingOf(name, entries))}>
              Recording (all of it, to open again)
            </MenuItem>
          </Menu>
          {onClear && (
            <IconButton label="Clear messages" onClick={onClear}>
              <Trash2 aria-hidden="true" className="size-4" />
            </IconButton>
          )}
          {end}
        </span>
      </div>
      {rows.length + gone.length === 0 ? (
        <div className="min-h-0 overflow-y-auto">
          <StateView
            state="empty"
            icon={<Activity aria-hidden="true" className="size-5" />}
            title="No messages yet"
          >
            Call a tool, read a resource or list something: every message of it appears here while it goes,
            without secrets. It stays in this tab until you close or clear it.
          </StateView>
        </div>
      ) : listed.length === 0 ? (
        <NothingMatches
          filter={text || kindWords[shown]}
          onClear={() => {
            onFilter("");
            setShown("all");
          }}
        />
      ) : (
        <div className="flex min-h-0 flex-1 max-sm:flex-col">
          <ExchangeList
            rows={listed}
            selected={selected}
            onSelect={setSelected}
            pinned={pinnedKeys}
            onPin={pin}
          />
          {open && <ExchangeDetail key={open.key} row={open} onClose={() => setSelected(undefined)} />}
        </div>
      )}
    </div>
  );
}
