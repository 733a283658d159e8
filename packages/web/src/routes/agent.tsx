/** @module `/p/:pid/agent`: the workspace agent, what it did, and what a person decides. */
import { AgentChat } from "../features/agent/parts/agent-chat.tsx";
import { useOpenPage } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { pageById } from "../pages/pages.ts";

export function Agent() {
  const { pid = "" } = useOpenPage().parameters;
  return (
    <PageFrame id="agent" about={pageById("agent").about} width="full">
      <AgentChat projectId={pid} />
    </PageFrame>
  );
}
