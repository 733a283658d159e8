/** @module `/p/:pid/swarms/findings`: problems over all waves, and those that were set aside. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { statusTones } from "../../features/findings/finding-words.ts";
import { SwarmDismissButton } from "../../features/findings/parts/dismiss-button.tsx";
import { EvidenceLink } from "../../features/findings/parts/evidence-link.tsx";
import { FindingCard } from "../../features/findings/parts/finding-card.tsx";
import { findingFilter } from "../../features/findings/parts/finding-filter.tsx";
import { pagedQuery } from "../../features/swarms/queries.ts";
import { many } from "../../features/swarms/run-words.ts";
import { ShowMore } from "../../kit/list/show-more.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { StateView } from "../../kit/state-view.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageLink } from "../../pages/page-link.tsx";
import { pageById } from "../../pages/pages.ts";
import { useSearchText } from "../../pages/use-search.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Time } from "../../ui/time.tsx";

export function SwarmFindings() {
  const { pid = "" } = useOpenPage().parameters;
  const { filter, choice } = findingFilter(useSearchText("show"));
  const dismissed = filter === "dismissed" ? "true" : "false";
  const query = useInfiniteQuery(pagedQuery("listSwarmFindings", { projectId: pid }, { dismissed }));
  return (
    <PageFrame id="swarm-findings" about={pageById("swarm-findings").about}>
      {choice}
      <Loaded query={query} what="the findings">
        {({ pages }) => {
          const findings = pages.flatMap(({ items }) => items);
          return findings.length > 0 ? (
            findings.map((found) => (
              <FindingCard
                key={found.id}
                heading="h2"
                finding={found.finding}
                chip={<Chip tone={statusTones[found.status]}>{found.status}</Chip>}
                open={(evidence) => <EvidenceLink pid={pid} evidence={evidence} of="swarms" />}
                actions={
                  <>
                    <PageLink
                      page="finding"
                      params={{ pid, fam: found.family.id, fid: found.id }}
                      className={buttonClass()}
                    >
                      Over time
                    </PageLink>
                    <SwarmDismissButton pid={pid} finding={found} />
                  </>
                }
              >
                <p className="text-faint text-sm">
                  Seen in {many(found.occurrenceCount, "wave")}, first <Time at={found.firstSeenAt} />, last{" "}
                  <Time at={found.lastSeenAt} />.
                </p>
              </FindingCard>
            ))
          ) : (
            <StateView
              heading="h2"
              state={filter === "open" ? "empty" : "filtered"}
              icon={<Search aria-hidden="true" className="size-5" />}
              title={filter === "open" ? "Nothing was found" : "Nothing is dismissed"}
              actions={
                filter === "open" && (
                  <PageLink page="journeys" params={{ pid }} className={buttonClass()}>
                    To the journeys
                  </PageLink>
                )
              }
            >
              {filter === "open" && "Problems with a pattern appear here when a wave has ended."}
            </StateView>
          );
        }}
      </Loaded>
      <ShowMore query={query} />
    </PageFrame>
  );
}
