/** @module When the suite runs by itself, and how that went. */
import type { EvalSuiteDetail } from "@fettle/contract";
import { useState } from "react";
import { everyEnvironment } from "../../../api/environments.ts";
import { useOperation } from "../../../api/operation.ts";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Select } from "../../../ui/select.tsx";
import { Time } from "../../../ui/time.tsx";
import { toast } from "../../../ui/toast.tsx";
import { intervals, scheduleWords } from "../schedule-words.ts";
import { targetsOf } from "../targets.ts";

export function SchedulePanel({ suite }: { suite: EvalSuiteDetail }) {
  const { schedule } = suite;
  const [editing, setEditing] = useState(false);
  return (
    <Panel
      title="Schedule"
      about={
        <>
          {scheduleWords(schedule)}.
          {schedule.enabled && schedule.nextRunAt !== null && (
            <>
              {" "}
              Next <Time at={schedule.nextRunAt} />.
            </>
          )}
        </>
      }
      aside={<Button onClick={() => setEditing(true)}>{schedule.enabled ? "Change" : "Set"}</Button>}
    >
      {schedule.lastError === null ? (
        <p className="text-soft text-sm">
          {schedule.enabled
            ? "Each run is launched as whoever set the schedule. One that was missed is not made up for."
            : "A scheduled run shows when a server or a model changed under you."}
        </p>
      ) : (
        <Notice kind="warn" title="The last one did not start">
          {schedule.lastError}
        </Notice>
      )}
      {editing && <ScheduleDialog suite={suite} onClose={() => setEditing(false)} />}
    </Panel>
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
            options={[
              { value: "0", label: "Only when asked" },
              ...intervals.map(({ minutes, word }) => ({ value: String(minutes), label: word })),
            ]}
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
