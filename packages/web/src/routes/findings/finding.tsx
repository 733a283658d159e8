/** @module `/p/:pid/findings/:fam/:fid`: one problem, and how it fared over time. */
import { useOperation } from "../../api/operation.ts";
import { statusTones } from "../../features/findings/finding-words.ts";
import { DismissButton } from "../../features/findings/parts/dismiss-button.tsx";
import { EvidenceLink } from "../../features/findings/parts/evidence-link.tsx";
import { FindingCard } from "../../features/findings/parts/finding-card.tsx";
import { TrendBars } from "../../features/findings/parts/trend-bars.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageLink } from "../../pages/page-link.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Time } from "../../ui/time.tsx";

export function FindingPage() {
  const { pid = "", fam = "", fid = "" } = useOpenPage().parameters;
  const query = useOperation("getFinding", { projectId: pid, familyId: fam, findingId: fid });
  const { data } = query;
  return (
    <PageFrame
      id="finding"
      chip={data?.dismissedAt != null && <Chip>Dismissed</Chip>}
      about={
        data && (
          <>
            In{" "}
            {data.lastSeenIn.kind === "eval_run" ? (
              <PageLink page="eval-results" params={{ pid, suid: fam }} className="underline">
                {data.family.label}
              </PageLink>
            ) : data.lastSeenIn.kind === "swarm_wave" ? (
              <PageLink page="swarm-findings" params={{ pid }} className="underline">
                {data.family.label}
              </PageLink>
            ) : (
              <PageLink page="scenario" params={{ pid, scid: fam }} className="underline">
                {data.family.label}
              </PageLink>
            )}
            {" · first seen "}
            <Time at={data.firstSeenAt} />
            {", last "}
            <Time at={data.lastSeenAt} />
          </>
        )
      }
    >
      <Loaded query={query} what="the finding">
        {(found) => (
          <>
            <FindingCard
              heading="h2"
              finding={found.finding}
              chip={<Chip tone={statusTones[found.status]}>{found.status}</Chip>}
              open={(evidence) => (
                <EvidenceLink
                  pid={pid}
                  evidence={evidence}
                  of={
                    found.lastSeenIn.kind === "eval_run"
                      ? { runId: found.lastSeenIn.id }
                      : found.lastSeenIn.kind === "swarm_wave"
                        ? "swarms"
                        : { scenarioId: fam }
                  }
                />
              )}
              actions={<DismissButton pid={pid} finding={found} />}
            />
            <Panel
              title="Over time"
              about={`Seen in ${found.occurrenceCount} of ${found.trend.length} that could have shown it.`}
            >
              <TrendBars trend={found.trend} />
            </Panel>
          </>
        )}
      </Loaded>
    </PageFrame>
  );
}
