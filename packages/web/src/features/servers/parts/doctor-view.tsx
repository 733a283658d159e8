/** @module A server examined: its last examination, or one made now where there is none; and again when asked. */
import type { ProjectServer } from "@fettle/contract/servers";
import { useQuery } from "@tanstack/react-query";
import { failureOf } from "../../../api/failure.ts";
import { FailureView } from "../../../kit/failure-view.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { asksToSignIn, doctorQuery } from "../queries.ts";
import { DoctorSteps } from "./doctor-steps.tsx";
import { FindingCards } from "./finding-cards.tsx";
import { ImportTokens } from "./import-tokens.tsx";
import { ServerFacts } from "./server-facts.tsx";

export function DoctorView({ server }: { server: ProjectServer }) {
  const query = useQuery(doctorQuery({ projectId: server.projectId, serverId: server.id }, server.updatedAt));
  const again = () => void query.refetch();
  if (query.isError && !query.data) {
    return <FailureView failure={failureOf(query.error)} what="the examination" onRetry={again} />;
  }
  if (!query.data) {
    return (
      <Panel>
        <p role="status" className="flex items-center gap-2.5 text-soft">
          <Spinner /> Examining {server.name}: reaching it, connecting, reading its lists …
        </p>
      </Panel>
    );
  }
  const report = query.data;
  return (
    <>
      <DoctorSteps report={report} busy={query.isFetching} onRun={again} />
      {asksToSignIn(report) && <ImportTokens server={server} onImported={again} />}
      <FindingCards findings={report.findings} />
      {report.initInfo && <ServerFacts report={report} />}
    </>
  );
}
