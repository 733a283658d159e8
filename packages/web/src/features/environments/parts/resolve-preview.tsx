/** @module What a run started now would execute with, or why none could start. */
import type { ResolvedEnvironment } from "@fettle/contract/environments";
import { Ban } from "lucide-react";
import type { ReactNode } from "react";
import { failureOf } from "../../../api/failure.ts";
import { useOperation } from "../../../api/operation.ts";
import { FailureView } from "../../../kit/failure-view.tsx";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { Loading } from "../../../kit/loading.tsx";
import { StateView } from "../../../kit/state-view.tsx";
import type { JsonObject } from "../../../lib/json-exact.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import type { EnvironmentAddress } from "../queries.ts";
import { explainRefusal } from "../refusals.ts";
import { useNames } from "./field-value.tsx";

export function ResolvePreview({ address }: { address: EnvironmentAddress }) {
  const query = useOperation("resolveEnvironment", address);
  // A refusal is the newest answer, so what was resolved before it is no longer so.
  if (query.isError) {
    const failure = failureOf(query.error);
    const refusal = explainRefusal(failure);
    if (!refusal) {
      return (
        <FailureView failure={failure} what="what it resolves to" onRetry={() => void query.refetch()} />
      );
    }
    return (
      <div data-testid="resolve" data-state="refused" data-code={refusal.code}>
        <StateView
          heading="h2"
          state="final"
          icon={<Ban aria-hidden="true" className="size-5" />}
          title={refusal.title}
          actions={<Button onClick={() => void query.refetch()}>Look again</Button>}
        >
          <p>{failure.message}</p>
          {refusal.advice && <p className="mt-1">{refusal.advice}</p>}
          <p className="mt-2 text-faint text-sm">
            No run can start. <code>{refusal.code}</code>
          </p>
        </StateView>
      </div>
    );
  }
  if (!query.data) return <Loading what="what it resolves to" />;
  return <Resolved projectId={address.projectId} resolved={query.data} />;
}

function Resolved({ projectId, resolved }: { projectId: string; resolved: ResolvedEnvironment }) {
  const nameOf = useNames(projectId);
  const left = resolved.selectedServerIds.filter((id) => !resolved.effectiveServerIds.includes(id));
  return (
    <div data-testid="resolve" data-state="runnable" className="stack gap-6">
      <Panel title="A run started now" about={`At revision ${resolved.environment.revision}`}>
        <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
          <Fact name="Runs as">
            <PageLink
              page="client-settings"
              params={{ pid: projectId, cid: resolved.hostId }}
              className="rounded-[4px] text-accent-text underline underline-offset-2"
            >
              {resolved.hostName}
            </PageLink>
            <span className="mt-0.5 flex items-center gap-1">
              <code title={resolved.hostConfigId} className="truncate text-code text-faint">
                {resolved.hostConfigId}
              </code>
              <CopyButton small text={resolved.hostConfigId} label="Copy config id" />
            </span>
          </Fact>
          <Fact name="Model">
            <code className="break-all text-code">{resolved.effectiveModelId}</code>
            <span className="block text-faint text-sm">
              {resolved.modelSource === "environment" ? "Set here" : "The client's own"}
            </span>
          </Fact>
          <Fact name="Connects to, and to nothing else">
            <ul className="grid gap-1">
              {resolved.servers.map(({ serverId, name }) => (
                <li key={serverId}>
                  <PageLink
                    page="server-overview"
                    params={{ pid: projectId, sid: serverId }}
                    className="break-words rounded-[4px] text-accent-text underline underline-offset-2"
                  >
                    {name}
                  </PageLink>
                </li>
              ))}
              {left.map((id) => (
                <li key={id} className="flex flex-wrap items-center gap-2 text-soft">
                  <code className="break-all text-code">{id}</code>
                  <Chip tone="warn">Left out: deleted or disabled</Chip>
                </li>
              ))}
            </ul>
            <span className="mt-1 block text-faint text-sm">
              {resolved.serverAttachmentId
                ? `As frozen in ${nameOf(resolved.serverAttachmentId)}`
                : "As attached to the client"}
            </span>
          </Fact>
          <Fact name="Plugin versions">
            <Names
              items={resolved.pluginVersions.map((each) => ({
                id: each.pluginVersionId,
                name:
                  nameOf(each.pluginVersionId) === each.pluginVersionId
                    ? each.name
                    : nameOf(each.pluginVersionId),
                about: each.bundleHash,
              }))}
            />
          </Fact>
          <Fact name="Skills">
            <Names
              items={resolved.skills.map(({ skillId, name, aggregateHash }) => ({
                id: skillId,
                name,
                about: aggregateHash,
              }))}
            />
          </Fact>
        </dl>
      </Panel>
      <Panel title="Config" about="The client's settings as they are now">
        <JsonView value={resolved.config as JsonObject} label="config" openDepth={1} />
      </Panel>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-faint text-sm">{name}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  );
}

function Names({ items }: { items: readonly { id: string; name: string; about: string }[] }) {
  if (items.length === 0) return <span className="text-faint">None</span>;
  return (
    <ul className="grid gap-1">
      {items.map(({ id, name, about }) => (
        <li key={id} title={about} className="break-words">
          {name}
        </li>
      ))}
    </ul>
  );
}
