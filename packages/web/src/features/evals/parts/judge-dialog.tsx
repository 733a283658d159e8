/** @module Asks a judge to grade a finished run: which, and from where on a grade is good. */
import type { EvalRunDetail } from "@fettle/contract/evals";
import { useState } from "react";
import { useOperation } from "../../../api/operation.ts";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { ModelSelect, ruleModel } from "../../../kit/model-select.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { toast } from "../../../ui/toast.tsx";

export function JudgeDialog({ run, onClose }: { run: EvalRunDetail; onClose: () => void }) {
  const { projectId, id: runId, judges, progress } = run;
  const { goalCompletion: before } = judges;
  const organizationId = useOperation("getProject", { projectId }).data?.organizationId;
  const [model, setModel] = useState(before?.modelUsed ?? ruleModel);
  const ask = useChange("requestEvalRunJudge", () => {
    toast("The judge is asked");
    onClose();
  });
  const isFree = model === ruleModel;
  return (
    <FormDialog
      title={before?.status === "completed" ? "Judge again" : "Ask the judge"}
      description="It grades what was kept of the run. What was graded before is replaced; the verdict stays as it is."
      submit={isFree ? "Grade, free" : "Grade, spends"}
      action={ask}
      ready={organizationId !== undefined}
      onClose={onClose}
      onSubmit={(values) =>
        ask.run({
          projectId,
          runId,
          body: {
            enable: true,
            model,
            threshold: Number(values.get("threshold")),
            ...(before?.status === "completed" && { force: true }),
          },
        })
      }
    >
      <Field label="Who grades" name="model">
        {(control) =>
          organizationId && (
            <ModelSelect
              {...control}
              organizationId={organizationId}
              current={model}
              value={model}
              onChange={(event) => setModel(event.target.value)}
            />
          )
        }
      </Field>
      <Field label="Good from" name="threshold" hint="From 0 to 1.">
        {(control) => (
          <Input
            {...control}
            type="number"
            required
            min={0}
            max={1}
            step="0.05"
            className="max-w-28"
            defaultValue={before?.threshold ?? 0.7}
          />
        )}
      </Field>
      <Notice kind="info" title={isFree ? "Free" : "Spends"}>
        {isFree
          ? "Fixed rules compare words with what each case says of a good answer. Cases that say nothing are not graded."
          : `The model reads each of ${progress.settled} repetitions once or twice, at the price above.`}
      </Notice>
    </FormDialog>
  );
}
