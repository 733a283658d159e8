/** @module The messages below every page of a server: one line while it is folded, and the whole log when it is opened. */
import type { ProjectServer } from "@fettle/contract/servers";
import { ChevronDown, ChevronUp } from "lucide-react";
import { lazy, Suspense, useState, useSyncExternalStore } from "react";
import { trafficOf } from "../../../api/traffic.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { readStored, writeStored } from "../../../lib/storage.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { exchangeRows } from "../exchanges.ts";
import { useListening } from "../use-listening.ts";

const MessageLog = lazy(async () => ({ default: (await import("./message-log.tsx")).MessageLog }));

export function MessageDock({ server }: { server: ProjectServer }) {
  // On a small screen it would take half of every page: there it is opened for one look.
  const [isOpen, setOpen] = useState(
    () => readStored("dock") === "open" && matchMedia("(min-width: 40rem)").matches,
  );
  const [filter, setFilter] = useState("");
  const fold = (open: boolean) => {
    setOpen(open);
    writeStored("dock", open ? "open" : "folded");
  };
  useListening(server);
  if (!isOpen) return <FoldedDock server={server} onOpen={() => fold(true)} />;
  return (
    <section
      aria-label="Messages of the server"
      data-testid="message-dock"
      className="flex h-[min(20rem,50dvh)] shrink-0 flex-col border-line border-t bg-surface"
    >
      <Suspense>
        <MessageLog
          server={server}
          filter={filter}
          onFilter={setFilter}
          end={
            <IconButton label="Fold messages" onClick={() => fold(false)}>
              <ChevronDown aria-hidden="true" className="size-4" />
            </IconButton>
          }
        />
      </Suspense>
    </section>
  );
}

function FoldedDock({ server, onOpen }: { server: ProjectServer; onOpen: () => void }) {
  const { entries } = useSyncExternalStore(trafficOf(server.id).subscribe, trafficOf(server.id).get);
  // The last few are enough to say what is going on.
  const rows = exchangeRows(entries.slice(-50));
  const last = rows.findLast(({ kind, peer }) => kind !== "http" && kind !== "note" && !peer);
  return (
    <section
      aria-label="Messages of the server"
      data-testid="message-dock"
      className="shrink-0 border-line border-t bg-sunken"
    >
      <button
        type="button"
        aria-expanded="false"
        onClick={onOpen}
        className="flex h-9 w-full items-center gap-3 px-4 text-left text-sm text-soft hover:bg-hover focus-visible:-outline-offset-2"
      >
        <ChevronUp aria-hidden="true" className="size-4" />
        <span className="font-medium">Messages</span>
        {last && (
          <span className="min-w-0 flex-1 truncate font-mono text-code text-faint">
            <VisibleText text={`${last.method} ${last.subject ?? ""}`} />
            {last.tookMs === undefined ? "" : ` ${last.tookMs} ms`}
            {last.state === "plain" || last.state === "ok" ? "" : ` ${last.state}`}
          </span>
        )}
      </button>
    </section>
  );
}
