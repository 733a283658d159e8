/** @module `/p/:pid/user-testing/:scid`: a published environment: its link, who is there, what they did, and what was found. */
import { useNavigate } from "@tanstack/react-router";
import { useOperation } from "../../api/operation.ts";
import { EvidenceLink } from "../../features/findings/parts/evidence-link.tsx";
import { FindingCard } from "../../features/findings/parts/finding-card.tsx";
import { InsightsPanel } from "../../features/findings/parts/insights-panel.tsx";
import { Figures } from "../../features/user-testing/parts/figures.tsx";
import { PeoplePanel } from "../../features/user-testing/parts/people-panel.tsx";
import { ScenarioActions } from "../../features/user-testing/parts/scenario-actions.tsx";
import { SessionsPanel } from "../../features/user-testing/parts/sessions-panel.tsx";
import { SharePanel } from "../../features/user-testing/parts/share-panel.tsx";
import { modeText } from "../../features/user-testing/scenario-words.ts";
import { GoneNotice } from "../../kit/gone-notice.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { useChange } from "../../kit/use-change.ts";
import { useOpenPage, useRefusal } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageLink } from "../../pages/page-link.tsx";
import { pagePath } from "../../pages/pages.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Notice } from "../../ui/notice.tsx";

export function ScenarioPage() {
  const { pid = "", scid = "" } = useOpenPage().parameters;
  const query = useOperation("getScenario", { projectId: pid, scenarioId: scid });
  const navigate = useNavigate();
  const blocked = useRefusal("scenarios");
  const { data } = query;
  return (
    <PageFrame
      id="scenario"
      title={data?.name ?? "Scenario"}
      chip={data && <Chip plain>{modeText(data.mode)}</Chip>}
      actions={
        data && (
          <ScenarioActions
            key={data.id}
            pid={pid}
            scenario={data}
            blocked={blocked}
            onGone={() => void navigate({ to: pagePath("scenarios", { pid }) })}
          />
        )
      }
      about={
        data && (
          <>
            {data.description && <p>{data.description}</p>}
            <PageLink
              page="environment-settings"
              params={{ pid, eid: data.environmentId }}
              className="underline"
            >
              The environment behind it
            </PageLink>
            {data.modelId && ` · ${data.modelId} answers`}
          </>
        )
      }
    >
      <GoneNotice query={query} what="scenario" />
      <Loaded query={query} what="the scenario">
        {(scenario) => (
          <div key={scenario.id} className="stack gap-6">
            {scenario.unavailable && (
              <Notice kind="bad" title="Visitors cannot begin at the moment">
                {scenario.unavailable.message}
              </Notice>
            )}
            <SharePanel pid={pid} scenario={scenario} />
            <Figures pid={pid} scenario={scenario} />
            <SessionsPanel pid={pid} scenario={scenario} />
            <Insights pid={pid} scid={scid} />
            <PeoplePanel pid={pid} scenario={scenario} />
          </div>
        )}
      </Loaded>
    </PageFrame>
  );
}

function Insights({ pid, scid }: { pid: string; scid: string }) {
  const place = { projectId: pid, scenarioId: scid };
  const { data } = useOperation("getUserTestingScenario", place);
  const ask = useChange("requestUserTestingInsights");
  const cancel = useChange("cancelUserTestingInsights");
  const insights = data?.insights;
  const windowId = insights?.scope.id ?? "";
  const isMade = insights?.status === "completed";
  return (
    <InsightsPanel
      envelope={insights}
      ask={{ ...ask, run: () => ask.run({ ...place, body: { force: isMade } }) }}
      cancel={{ ...cancel, run: () => cancel.run({ ...place, body: { windowId } }) }}
      card={(finding) => (
        <FindingCard
          key={finding.id}
          finding={finding}
          open={(evidence) => <EvidenceLink pid={pid} evidence={evidence} of={{ scenarioId: scid }} />}
          actions={
            <PageLink page="finding" params={{ pid, fam: scid, fid: finding.id }} className={buttonClass()}>
              Over time, dismiss …
            </PageLink>
          }
        />
      )}
    />
  );
}
