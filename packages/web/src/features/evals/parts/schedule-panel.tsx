/** @module When the suite runs by itself, and how that went. */
import type { EvalSuiteDetail } from "@fettle/contract/evals";
import { useState } from "react";
import { everyEnvironment } from "../../../api/environments.ts";
import { useOperation } from "../../../api/operation.ts";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { ScheduleView } from "../../../kit/schedule/schedule-view.tsx";
import { intervalOptions, scheduleWords } from "../../../kit/schedule/schedule-words.ts";
import { useChange } from "../../../kit/use-change.ts";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { toast } from "../../../ui/toast.tsx";
import { targetsOf } from "../targets.ts";

export function SchedulePanel({ suite }: { suite: EvalSuiteDetail }) {
  const { schedule } = suite;
  const [editing, setEditing] = useState(false);
  return (
    <ScheduleView
      title="Schedule"
      schedule={schedule}
      why="A scheduled run shows when a server or a model changed under you."
      onChange={() => setEditing(true)}
    >
      {editing && <ScheduleDialog suite={suite} onClose={() => setEditing(false)} />}
    </ScheduleView>
  );
}

function ScheduleDialog({ suite, onClose }: { suite: EvalSuiteDetail; onClose: () => void }) {
  const { projectId, id: suiteId, schedule, environmentIds } = suite;
  const environments = useOperation("listEnvironments", everyEnvironment(projectId), {
    enabled: environmentIds.length > 0,
  }).data?.items;
  const save = useChange("updateEvalSuiteSchedule", ({ schedule: now }) => {
    toast(`${suite.name}: ${scheduleWords(now).toLowerCase()}`);
    onClose();
  });
  return (
    <FormDialog
      title="When it runs by itself"
      description="Each run spends what a run by hand does."
      submit="Save schedule"
      action={save}
      onClose={onClose}
      onSubmit={(values) => {
        const minutes = Number(values.get("intervalMinutes"));
        const environmentId = String(values.get("environmentId") ?? "");
        save.run({
          projectId,
          suiteId,
          body:
            minutes === 0
              ? { enabled: false }
              : { enabled: true, intervalMinutes: minutes, ...(environmentId && { environmentId }) },
        });
      }}
    >
      <Field label="Interval" name="intervalMinutes">
        {(control) => (
          <Select
            {...control}
            defaultValue={schedule.enabled ? String(schedule.intervalMinutes) : "1440"}
            options={intervalOptions}
          />
        )}
      </Field>
      {environmentIds.length > 1 && (
        <Field label="Environment" name="environmentId" hint="A schedule runs against one.">
          {(control) => (
            <Select
              {...control}
              defaultValue={schedule.environmentId ?? ""}
              options={targetsOf(suite, environments).map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
        </Field>
      )}
    </FormDialog>
  );
}
