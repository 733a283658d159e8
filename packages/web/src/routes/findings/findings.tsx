/** @module `/p/:pid/findings`: problems over all runs and windows, and those that were set aside. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { findingFilter } from "../../features/findings/parts/finding-filter.tsx";
import { FindingTable } from "../../features/findings/parts/finding-table.tsx";
import { findingsQuery } from "../../features/findings/queries.ts";
import { ShowMore } from "../../kit/list/show-more.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { StateView } from "../../kit/state-view.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageLink } from "../../pages/page-link.tsx";
import { pageById } from "../../pages/pages.ts";
import { useSearchText } from "../../pages/use-search.ts";
import { buttonClass } from "../../ui/button.tsx";

const page = pageById("findings");

export function Findings() {
  const { pid = "" } = useOpenPage().parameters;
  const { filter, choice } = findingFilter(useSearchText("show"));
  const query = useInfiniteQuery(findingsQuery(pid, filter));
  return (
    <PageFrame id="findings" about={page.about}>
      {choice}
      <Loaded query={query} what="the findings">
        {({ pages }) => {
          const findings = pages.flatMap(({ items }) => items);
          return findings.length > 0 ? (
            <FindingTable pid={pid} findings={findings} more={query.hasNextPage} />
          ) : (
            <StateView
              state={filter === "open" ? "empty" : "filtered"}
              icon={<Search aria-hidden="true" className="size-5" />}
              title={filter === "open" ? "Nothing was found" : "Nothing is dismissed"}
              actions={
                filter === "open" && (
                  <>
                    <PageLink page="evals" params={{ pid }} className={buttonClass()}>
                      Evals
                    </PageLink>
                    <PageLink page="scenarios" params={{ pid }} className={buttonClass()}>
                      User testing
                    </PageLink>
                  </>
                )
              }
            >
              {filter === "open" &&
                "Problems with a pattern appear here when eval runs and waves of synthetic visitors have ended, or when somebody looks through visitors' sessions."}
            </StateView>
          );
        }}
      </Loaded>
      <ShowMore query={query} />
    </PageFrame>
  );
}
