/** @module `/p/:pid/evals/groups/:egid`: the runs that one launch started together, one for each target. */
import { useOperation } from "../../api/operation.ts";
import { GroupView } from "../../features/evals/parts/group-view.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageLink } from "../../pages/page-link.tsx";

export function EvalRunGroupPage() {
  const { pid = "", egid = "" } = useOpenPage().parameters;
  const query = useOperation("getEvalRunGroup", { projectId: pid, runGroupId: egid });
  const { data } = query;
  const name = data?.runs[0]?.suiteName;
  return (
    <PageFrame
      id="eval-run-group"
      width="full"
      title={
        name
          ? `${name} on ${data.runs.length} ${data.runs.length === 1 ? "target" : "targets"}`
          : "Runs together"
      }
      about={
        data && (
          <PageLink page="eval-results" params={{ pid, suid: data.suiteId }} className="underline">
            All runs of {name ?? "the suite"}
          </PageLink>
        )
      }
    >
      <Loaded query={query} what="the runs">
        {(group) => <GroupView projectId={pid} runs={group.runs} />}
      </Loaded>
    </PageFrame>
  );
}
