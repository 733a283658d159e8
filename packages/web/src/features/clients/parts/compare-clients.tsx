/** @module Two clients' configs side by side. */
import type { Client } from "@fettle/contract/environments";
import { ArrowLeftRight, GitCompare } from "lucide-react";
import { useOperation } from "../../../api/operation.ts";
import { useCommandFacts } from "../../../kit/command-facts.ts";
import { JsonDiffView } from "../../../kit/json-diff/json-diff-view.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { StateView } from "../../../kit/state-view.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Select } from "../../../ui/select.tsx";
import { configOf } from "../client-draft.ts";

export interface CompareClientsProps {
  projectId: string;
  clients: readonly Client[];
  /** Ids; empty while nothing is chosen. */
  left: string;
  right: string;
  onPick: (left: string, right: string) => void;
}

export function CompareClients({ projectId, clients, left, right, onPick }: CompareClientsProps) {
  const options = [
    { value: "", label: "Choose …" },
    ...clients.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <div className="stack gap-5">
      <div className="grid items-end gap-3 sm:grid-cols-[1fr_auto_1fr]">
        <Field label="Left">
          {(control) => (
            <Select
              {...control}
              value={left}
              options={options}
              onChange={(event) => onPick(event.target.value, right)}
            />
          )}
        </Field>
        <Button
          icon={<ArrowLeftRight aria-hidden="true" className="size-4" />}
          onClick={() => onPick(right, left)}
        >
          Swap
        </Button>
        <Field label="Right">
          {(control) => (
            <Select
              {...control}
              value={right}
              options={options}
              onChange={(event) => onPick(left, event.target.value)}
            />
          )}
        </Field>
      </div>
      {left && right ? (
        <Comparison key={`${left} ${right}`} projectId={projectId} left={left} right={right} />
      ) : (
        <StateView
          heading="h2"
          state="empty"
          icon={<GitCompare aria-hidden="true" className="size-5" />}
          title="Choose two clients"
        >
          Only where their configs differ is shown; the order of keys does not count.
        </StateView>
      )}
    </div>
  );
}

function Comparison({ projectId, left, right }: { projectId: string; left: string; right: string }) {
  const one = useOperation("getClient", { projectId, client: left });
  const other = useOperation("getClient", { projectId, client: right });
  useCommandFacts({ client: left });
  return (
    <Loaded query={one} what="the client on the left">
      {(before) => (
        <Loaded query={other} what="the client on the right">
          {(after) => (
            <>
              {before.configId === after.configId && (
                <Notice kind="info">
                  Both have the config <code className="break-all">{before.configId}</code>, so their settings
                  are the same to the byte.
                </Notice>
              )}
              <JsonDiffView
                label="Differences between the two configs"
                before={configOf(before)}
                after={configOf(after)}
                beforeName={before.name}
                afterName={after.name}
              />
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}
