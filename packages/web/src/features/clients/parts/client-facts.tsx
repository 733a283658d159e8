/** @module What a client is, at a glance, and what can be done with it as a whole. */
import type { ClientDetail, ClientTemplate } from "@fettle/contract/environments";
import type { ReactNode } from "react";
import { Blocked } from "../../../kit/blocked.tsx";
import { Changed } from "../../../kit/changed.tsx";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { hostLabel } from "./client-table.tsx";
import { ImpactList } from "./impact-list.tsx";

export interface ClientFactsProps {
  projectId: string;
  client: ClientDetail;
  templates: readonly ClientTemplate[];
  duplicateBlock: string | undefined;
  onCompare: () => void;
  onDuplicate: () => void;
  onDelete: () => void;
}

export function ClientFacts(props: ClientFactsProps) {
  const { projectId, client, templates } = props;
  const offline = useWriteBlock();
  return (
    <Panel
      title="About this client"
      footer={
        <>
          <span>Its config never changes: an edit makes another one.</span>
          <span className="flex flex-wrap gap-2">
            <Button onClick={props.onCompare}>Compare</Button>
            <Blocked reason={props.duplicateBlock ?? offline}>
              <Button onClick={props.onDuplicate}>Duplicate</Button>
            </Blocked>
            <Blocked reason={offline}>
              <Button look="danger" onClick={props.onDelete}>
                Delete
              </Button>
            </Blocked>
          </span>
        </>
      }
    >
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-3">
        <Fact name="Behaves like">{hostLabel(client.config.hostStyle ?? "", templates)}</Fact>
        <Fact name="Changed">
          <Changed by={client.updatedBy} at={client.updatedAt} />
        </Fact>
        <Fact name="An edit is followed by">
          <ImpactList address={{ projectId, clientId: client.id }} impact={client.impact} />
        </Fact>
        <Fact name="Config" wide>
          <Id text={client.configId} label="Copy config id" />
        </Fact>
        <Fact name="Id" wide>
          <Id text={client.id} label="Copy id" />
        </Fact>
      </dl>
    </Panel>
  );
}

function Id({ text, label }: { text: string; label: string }) {
  return (
    <span className="flex items-center gap-1">
      <code className="break-all text-code">{text}</code>
      <CopyButton small text={text} label={label} />
    </span>
  );
}

function Fact({ name, wide = false, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? "sm:col-span-3" : undefined}>
      <dt className="text-faint text-sm">{name}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  );
}
