/** @module How a server fares: the latest verdicts, and its health over time as a strip of bars. */
import type { ProjectServer, ServerHistoryEntry } from "@fettle/contract/servers";
import { useOperation } from "../../../api/operation.ts";
import { useVerdicts } from "../../../api/server-verdicts.ts";
import { momentOf } from "../../../lib/time.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { kindWords, outcomeLooks } from "../history-words.ts";
import { OutcomeChip } from "./outcome-chip.tsx";

const drawn = 60;
const height = 36;
const bar = { width: 6, gap: 2, least: 4 };

const fills = {
  ok: "fill-good-mark",
  partial: "fill-warn-mark",
  failed: "fill-bad-mark",
  stopped: "fill-line-strong",
} as const;

export function HealthPanel({ server }: { server: ProjectServer }) {
  const address = { projectId: server.projectId, serverId: server.id };
  const verdicts = useVerdicts(address);
  const checks = useOperation("listServerHistory", { ...address, query: { kind: "health", limit: drawn } });
  if (verdicts.length === 0) return null;
  return (
    <Panel title="How it fares" about="The latest of each check; all of them are in its history.">
      <div className="stack gap-4">
        <ul aria-label="Latest verdicts" className="flex flex-wrap gap-x-6 gap-y-2">
          {verdicts.map(({ kind, outcome, summary, at, entryId }) => (
            <li key={kind} className="flex items-center gap-2 text-sm">
              <PageLink
                page="server-history-entry"
                params={{ pid: server.projectId, sid: server.id, hid: entryId }}
                className="rounded-[4px] font-medium underline-offset-2 hover:underline"
              >
                {kindWords[kind]}
              </PageLink>
              <OutcomeChip outcome={outcome} title={summary} />
              <span className="text-faint">
                <Time at={at} />
              </span>
            </li>
          ))}
        </ul>
        <HealthStrip entries={checks.data?.items ?? []} />
      </div>
    </Panel>
  );
}

/** Oldest first; as high as it took long. */
function HealthStrip({ entries }: { entries: readonly ServerHistoryEntry[] }) {
  if (entries.length < 2) return null;
  const shown = entries.toReversed();
  const slowest = Math.max(1, ...shown.map(({ durationMs }) => durationMs));
  const failed = shown.filter(({ outcome }) => outcome === "failed").length;
  const step = bar.width + bar.gap;
  return (
    <svg
      role="img"
      aria-label={`Health over time: ${shown.length} checks, ${failed} failed, the slowest took ${slowest} ms.`}
      viewBox={`0 0 ${drawn * step} ${height}`}
      className="h-9 w-full max-w-xl"
      preserveAspectRatio="xMinYMax meet"
    >
      {shown.map(({ id, outcome, durationMs, at }, index) => {
        const tall = Math.max(bar.least, (durationMs / slowest) * height);
        return (
          <rect
            key={id}
            x={index * step}
            y={height - tall}
            width={bar.width}
            height={tall}
            rx={1.5}
            className={fills[outcome]}
          >
            <title>{`${outcomeLooks[outcome].word}, ${durationMs} ms, ${momentOf(at)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
