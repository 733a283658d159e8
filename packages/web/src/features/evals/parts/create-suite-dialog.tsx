/** @module A new suite: what it runs against, who answers, and its first question. More cases can be drafted from the tools. */
import { counted } from "@fettle/contract/formats";
import { useState } from "react";
import { change, useOperation } from "../../../api/operation.ts";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { ModelSelect } from "../../../kit/model-select.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { toast } from "../../../ui/toast.tsx";

export interface CreateSuiteDialogProps {
  projectId: string;
  organizationId: string;
  onClose: () => void;
  onCreated: (suiteId: string) => void;
}

export function CreateSuiteDialog({ projectId, organizationId, onClose, onCreated }: CreateSuiteDialogProps) {
  const servers = useOperation("listProjectServers", { projectId }).data?.items ?? [];
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const picked = servers.filter(({ id }) => chosen.has(id) || servers.length === 1);
  const [drafting, setDrafting] = useState(true);
  const create = useAction(async (values: FormData) => {
    const prompt = String(values.get("prompt"));
    const { suiteId } = await change("createEvalSuite", {
      projectId,
      body: {
        name: String(values.get("name")).trim(),
        serverIds: picked.map(({ id }) => id),
        model: String(values.get("model")),
        tests: [{ title: titleOf(prompt), steps: [{ id: "ask", kind: "prompt", prompt }] }],
      },
    });
    if (drafting) await draft(projectId, suiteId);
    return suiteId;
  }, onCreated);
  return (
    <FormDialog
      title="New suite"
      description="A set of cases, each a question and what must come of it."
      submit="Create suite"
      action={create}
      ready={picked.length > 0}
      onClose={onClose}
      onSubmit={create.run}
    >
      <Field label="Name" name="name">
        {(control) => <Input {...control} required autoComplete="off" />}
      </Field>
      <fieldset className="grid gap-1.5">
        <legend className="mb-1.5 font-medium text-sm">Servers</legend>
        {servers.length === 0 && (
          <p className="text-soft text-sm">The project has no servers yet. Add one first.</p>
        )}
        {servers.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={picked.some((each) => each.id === id)}
            disabled={servers.length === 1}
            onChange={() => setChosen((before) => before.symmetricDifference(new Set([id])))}
          />
        ))}
      </fieldset>
      <Field label="Model" name="model" hint="Who answers where a case, client or environment says no other.">
        {(control) => <ModelSelect {...control} organizationId={organizationId} />}
      </Field>
      <Field label="First question" name="prompt" hint="As somebody would ask it.">
        {(control) => <Textarea {...control} required rows={2} className="min-h-14" />}
      </Field>
      <Checkbox
        label="Draft more cases from the servers' tools"
        hint="By fixed rules, free. Those that would change something are drafted disabled."
        checked={drafting}
        onChange={() => setDrafting(!drafting)}
      />
    </FormDialog>
  );
}

/** The suite is there; that its server could not be asked for its tools is told, and no reason to lose it. */
async function draft(projectId: string, suiteId: string): Promise<void> {
  try {
    const { created } = await change("generateEvalCases", { projectId, suiteId, body: {} });
    toast(`${counted(created.length, "case")} drafted from the tools`);
  } catch {
    toast("No cases could be drafted: the server did not tell its tools.", "bad");
  }
}

function titleOf(prompt: string): string {
  const line = prompt.trim().split("\n")[0] ?? "";
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
