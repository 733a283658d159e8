/** @module `/p/:pid/swarms/waves/:wid`: what all runs of a wave showed together. */
import { Search } from "lucide-react";
import { failureOf } from "../../api/failure.ts";
import { useOperation } from "../../api/operation.ts";
import { EvidenceLink } from "../../features/findings/parts/evidence-link.tsx";
import { FindingCard } from "../../features/findings/parts/finding-card.tsx";
import { InsightsPanel } from "../../features/findings/parts/insights-panel.tsx";
import { WaveChanges, WaveHealth, WavePaths } from "../../features/swarms/parts/wave-view.tsx";
import { FormFailure } from "../../kit/form-failure.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { StateView } from "../../kit/state-view.tsx";
import { useChange } from "../../kit/use-change.ts";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageLink } from "../../pages/page-link.tsx";
import { pageById } from "../../pages/pages.ts";
import { Button, buttonClass } from "../../ui/button.tsx";

export function WavePage() {
  const { pid = "", wid = "" } = useOpenPage().parameters;
  const address = { projectId: pid, waveId: wid };
  const query = useOperation("getWaveInsights", address);
  const ask = useChange("requestWaveInsights");
  const cancel = useChange("cancelWaveInsights");
  const request = (force: boolean) => ask.run({ ...address, body: { force } });
  const isUnasked = query.isError && failureOf(query.error).details?.code === "WAVE_NOT_ANALYZED";
  return (
    <PageFrame id="wave" title={`Wave ${wid}`} about={pageById("wave").about}>
      {isUnasked && query.data === undefined ? (
        <StateView
          heading="h2"
          state="empty"
          icon={<Search aria-hidden="true" className="size-5" />}
          title="Nobody has asked yet"
          actions={
            <Button look="primary" busy={ask.busy} onClick={() => request(false)}>
              Look for problems
            </Button>
          }
        >
          Everything that its visitors said and called is looked through, by rules; where the deployment has a
          model for it, that adds words.
          <FormFailure failure={ask.failure} />
        </StateView>
      ) : (
        <Loaded query={query} what="the wave">
          {({ status, insights, baseline, discovery }) => (
            <>
              <WaveHealth targets={insights.runHealth?.targets ?? []} />
              <WaveChanges pid={pid} baseline={baseline} />
              <InsightsPanel
                envelope={insights}
                ask={{ ...ask, run: () => request(status === "completed") }}
                cancel={{ ...cancel, run: () => cancel.run(address) }}
                card={(finding) => (
                  <FindingCard
                    key={finding.id}
                    finding={finding}
                    open={(evidence) => <EvidenceLink pid={pid} evidence={evidence} of="swarms" />}
                    actions={
                      <PageLink page="swarm-findings" params={{ pid }} className={buttonClass()}>
                        Over all waves, dismiss …
                      </PageLink>
                    }
                  />
                )}
              />
              <WavePaths pid={pid} discovery={discovery} />
            </>
          )}
        </Loaded>
      )}
    </PageFrame>
  );
}
