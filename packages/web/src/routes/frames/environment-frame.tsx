/** @module What every page of one environment shares: its name and state, and the environment once it is there. */
import type { AdhocEnvironment, Environment } from "@fettle/contract/environments";
import type { ReactNode } from "react";
import { useOperation } from "../../api/operation.ts";
import { GoneNotice } from "../../kit/gone-notice.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame, type PageFrameProps } from "../../pages/page-frame.tsx";
import { Chip } from "../../ui/chip.tsx";

export interface EnvironmentFrameProps extends Pick<PageFrameProps, "id"> {
  children: (environment: Environment | AdhocEnvironment) => ReactNode;
}

export function EnvironmentFrame({ id, children }: EnvironmentFrameProps) {
  const { pid = "", eid = "" } = useOpenPage().parameters;
  const query = useOperation("getEnvironment", { projectId: pid, environmentId: eid });
  return (
    <PageFrame
      id={id}
      title={query.data ? (query.data.name ?? "Ad-hoc environment") : "Environment"}
      about={query.data?.description}
      chip={query.data?.archived && <Chip>Archived</Chip>}
    >
      <GoneNotice query={query} what="environment" />
      <Loaded query={query} what="the environment">
        {/* Another environment is another page: nothing typed for one may stay for the next. */}
        {(environment) => (
          <div key={environment.id} className="stack gap-6">
            {children(environment)}
          </div>
        )}
      </Loaded>
    </PageFrame>
  );
}
