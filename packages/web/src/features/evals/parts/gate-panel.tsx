/** @module Whether the run lets a change through, and the waiver that may let a failed one through for a while. */
import type { EvalRunDetail, EvalRunGate } from "@fettle/contract/evals";
import type { Project } from "@fettle/contract/people";
import { useState } from "react";
import { useOperation } from "../../../api/operation.ts";
import { Blocked } from "../../../kit/blocked.tsx";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { momentOf } from "../../../lib/time.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Field } from "../../../ui/field.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Select } from "../../../ui/select.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { Time } from "../../../ui/time.tsx";
import { toast } from "../../../ui/toast.tsx";
import { gateWords, reasonWords } from "../run-words.ts";

export interface GatePanelProps {
  run: EvalRunDetail;
  role: Project["role"] | undefined;
}

export function GatePanel({ run, role }: GatePanelProps) {
  const query = useOperation("getEvalRunGate", { projectId: run.projectId, runId: run.id });
  return (
    <Loaded query={query} what="the gate">
      {(gate) => <Gate run={run} gate={gate} role={role} />}
    </Loaded>
  );
}

const meanings: Record<EvalRunGate["status"], string> = {
  passed: "A pull request that waits for this run may go on.",
  failed: "A pull request that waits for this run is held back.",
  waived: "It failed, and somebody lets it through for now. The verdict stays failed.",
  incomplete: "The run decides nothing, so it neither lets through nor holds back, and cannot be waived.",
};

function Gate({ run, gate, role }: GatePanelProps & { gate: EvalRunGate }) {
  const [waiving, setWaiving] = useState(false);
  const offline = useWriteBlock();
  const refusal =
    role === "admin" ? offline : `Only project admins can waive a gate; your role here is ${role}.`;
  const { tone, word } = gateWords[gate.status];
  const { waiver } = gate;
  const back = useChange("revokeGateWaiver", () => toast("The waiver was taken back; the gate fails again"));
  return (
    <div data-testid="gate" data-status={gate.status}>
      <Panel title="Gate" aside={<Chip tone={tone}>{word}</Chip>}>
        <div className="stack gap-3 text-sm">
          <p className="text-soft">{meanings[gate.status]}</p>
          {gate.reasons.map((reason) => (
            <p key={reason} className="text-soft">
              {reasonWords(reason)}
            </p>
          ))}
          {waiver && <Standing waiver={waiver} />}
          {gate.status === "failed" && (
            <span>
              <Blocked reason={refusal}>
                <Button onClick={() => setWaiving(true)}>Waive …</Button>
              </Blocked>
            </span>
          )}
          {gate.status === "waived" && waiver && (
            <span>
              <Blocked reason={refusal}>
                <Button
                  busy={back.busy}
                  onClick={() => back.run({ projectId: run.projectId, runId: run.id, waiverId: waiver.id })}
                >
                  Take the waiver back
                </Button>
              </Blocked>
            </span>
          )}
          <FormFailure failure={back.failure} />
        </div>
      </Panel>
      {waiving && <WaiveDialog run={run} onClose={() => setWaiving(false)} />}
    </div>
  );
}

type Waiver = NonNullable<EvalRunGate["waiver"]>;

function Standing({ waiver }: { waiver: Waiver }) {
  return (
    <div data-testid="waiver" className="rounded-control bg-warn-soft px-3 py-2 text-sm text-warn">
      <p className="break-words text-text">{waiver.reason}</p>
      <p className="mt-1">
        {waiver.createdByEmail ?? "Somebody"}, ends <Time at={waiver.expiresAt} />
      </p>
    </div>
  );
}

const dayMs = 86_400_000;
const lengths = [
  { value: "1", label: "1 day" },
  { value: "3", label: "3 days" },
  { value: "7", label: "1 week" },
  { value: "14", label: "2 weeks" },
  { value: "30", label: "30 days, the longest" },
];

function WaiveDialog({ run, onClose }: { run: EvalRunDetail; onClose: () => void }) {
  const waive = useChange("createGateWaiver", ({ waiver }) => {
    toast(`Waived until ${momentOf(waiver.expiresAt)}`);
    onClose();
  });
  // Somebody else was quicker: which one stands is part of the refusal.
  const inForce = waive.failure?.details?.waiver as Waiver | undefined;
  return (
    <FormDialog
      title="Waive the gate"
      description="It is let through for a while, in your name. The verdict stays failed, and everyone sees why."
      submit="Waive"
      action={waive}
      onClose={onClose}
      onSubmit={(values) => {
        // A little less, so that a service whose clock is behind does not take the longest for longer than it allows.
        const expiresAt = Date.now() + Number(values.get("days")) * dayMs - 60_000;
        waive.run({
          projectId: run.projectId,
          runId: run.id,
          body: { reason: String(values.get("reason")).trim(), expiresAt },
        });
      }}
    >
      <Field label="Why it may go through" name="reason">
        {(control) => <Textarea {...control} required rows={2} maxLength={500} className="min-h-16" />}
      </Field>
      <Field label="For how long" name="days">
        {(control) => <Select {...control} defaultValue="7" options={lengths} />}
      </Field>
      {inForce && <Standing waiver={inForce} />}
    </FormDialog>
  );
}
