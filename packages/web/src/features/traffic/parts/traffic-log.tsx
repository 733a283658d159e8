/** @module The messages between Fettle and the server, as this page caused them. */
import type { ProjectServer } from "@fettle/contract";
import { Activity, Download, Trash2 } from "lucide-react";
import { useMemo, useState, useSyncExternalStore } from "react";
import { clearTraffic, trafficCapacity, trafficOf } from "../../../api/traffic.ts";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { FilterInput } from "../../../kit/list/filter-input.tsx";
import { NothingMatches } from "../../../kit/list/nothing-matches.tsx";
import { StateView } from "../../../kit/state-view.tsx";
import type { Json } from "../../../lib/json-exact.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Select } from "../../../ui/select.tsx";
import { filterRows, messageRows, type RowFilter } from "../message-rows.ts";
import { MessageList } from "./message-list.tsx";

export interface TrafficLogProps {
  server: ProjectServer;
  filter: string;
  onFilter: (filter: string) => void;
}

export function TrafficLog({ server, filter: text, onFilter }: TrafficLogProps) {
  const { entries, dropped } = useSyncExternalStore(trafficOf(server.id).subscribe, trafficOf(server.id).get);
  const [direction, setDirection] = useState<RowFilter["direction"]>("all");
  const [method, setMethod] = useState("");
  const [selected, setSelected] = useState<number>();
  const rows = useMemo(() => messageRows(entries), [entries]);
  const shown = useMemo(() => filterRows(rows, { text, direction, method }), [rows, text, direction, method]);
  const open = rows.find(({ entry }) => entry.sequence === selected);
  if (rows.length === 0) {
    return (
      <StateView
        state="empty"
        icon={<Activity aria-hidden="true" className="size-5" />}
        title="No messages yet"
      >
        Call a tool, read a resource or list something: every JSON-RPC message of it appears here, without
        secrets. It is kept in this page only.
      </StateView>
    );
  }
  const methods = [...new Set(rows.map((row) => row.method))].sort();
  const clearFilters = () => {
    onFilter("");
    setDirection("all");
    setMethod("");
  };
  return (
    <div className="stack gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <FilterInput label="Filter messages" value={text} onChange={onFilter} />
        <Select
          aria-label="Direction"
          className="max-w-40"
          value={direction}
          options={[
            { value: "all", label: "Both ways" },
            { value: "send", label: "To the server" },
            { value: "receive", label: "From the server" },
          ]}
          onChange={(event) => setDirection(event.target.value as RowFilter["direction"])}
        />
        <Select
          aria-label="Method"
          className="max-w-60"
          value={method}
          options={[
            { value: "", label: "Every method" },
            ...methods.map((each) => ({ value: each, label: each })),
          ]}
          onChange={(event) => setMethod(event.target.value)}
        />
        <span className="ml-auto flex gap-2">
          <Button
            icon={<Download aria-hidden="true" className="size-4" />}
            onClick={() =>
              download(
                server.name,
                shown.map(({ entry }) => entry),
              )
            }
          >
            Export
          </Button>
          <Button
            look="quiet"
            icon={<Trash2 aria-hidden="true" className="size-4" />}
            onClick={() => clearTraffic(server.id)}
          >
            Clear
          </Button>
        </span>
      </div>
      {dropped > 0 && (
        <Notice kind="info">
          The page keeps {trafficCapacity.toLocaleString("en")} messages; {dropped.toLocaleString("en")} older
          ones are gone.
        </Notice>
      )}
      {shown.length === 0 ? (
        <NothingMatches
          filter={[text, method].filter(Boolean).join(" · ") || "this direction"}
          onClear={clearFilters}
        />
      ) : (
        <MessageList rows={shown} selected={selected} onSelect={setSelected} />
      )}
      {open && (
        <Panel
          title={open.method}
          about={`${open.kind}, ${open.entry.direction === "send" ? "sent to the server" : "received from the server"}`}
          aside={<CopyButton label="Copy message" text={JSON.stringify(open.entry.message, null, 2)} />}
        >
          <JsonView key={open.entry.sequence} value={(open.entry.message ?? null) as Json} label="message" />
        </Panel>
      )}
    </div>
  );
}

function download(name: string, messages: readonly unknown[]): void {
  const url = URL.createObjectURL(
    new Blob([`${JSON.stringify(messages, null, 2)}\n`], { type: "application/json" }),
  );
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name.replaceAll(/[^\w.-]+/g, "-")}-traffic.json`;
  link.click();
  URL.revokeObjectURL(url);
}
