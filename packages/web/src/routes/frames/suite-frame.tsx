/** @module What every page of one suite shares: its name and where it comes from, and the suite once it is there. */
import type { EvalSuiteDetail } from "@fettle/contract/evals";
import type { ReactNode } from "react";
import { useOperation } from "../../api/operation.ts";
import { GoneNotice } from "../../kit/gone-notice.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame, type PageFrameProps } from "../../pages/page-frame.tsx";
import { Chip } from "../../ui/chip.tsx";

export interface SuiteFrameProps extends Pick<PageFrameProps, "id" | "width"> {
  children: (suite: EvalSuiteDetail) => ReactNode;
}

export function SuiteFrame({ id, width, children }: SuiteFrameProps) {
  const { pid = "", suid = "" } = useOpenPage().parameters;
  const query = useOperation("getEvalSuite", { projectId: pid, suiteId: suid });
  return (
    <PageFrame
      id={id}
      {...(width && { width })}
      title={query.data?.name ?? "Suite"}
      about={query.data?.description}
      chip={
        query.data && (
          <>
            {query.data.origin === "file" && <Chip plain>From a file</Chip>}
            {query.data.tags.map((tag) => (
              <Chip key={tag} plain>
                {tag}
              </Chip>
            ))}
          </>
        )
      }
    >
      <GoneNotice query={query} what="suite" />
      <Loaded query={query} what="the suite">
        {(suite) => (
          <div key={suite.id} className="stack gap-6">
            {children(suite)}
          </div>
        )}
      </Loaded>
    </PageFrame>
  );
}
