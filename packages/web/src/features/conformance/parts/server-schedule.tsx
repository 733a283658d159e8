/** @module When a saved server is checked for conformance by itself: every night, or at another interval. */
import type { ConformanceSchedule, ProjectServer } from "@fettle/contract/servers";
import { useState } from "react";
import { useOperation } from "../../../api/operation.ts";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { ScheduleView } from "../../../kit/schedule/schedule-view.tsx";
import { intervalOptions, scheduleWords } from "../../../kit/schedule/schedule-words.ts";
import { useChange } from "../../../kit/use-change.ts";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import { toast } from "../../../ui/toast.tsx";
import { nextAt } from "../next-at.ts";

const day = 1_440;

export function ServerSchedule({ server }: { server: ProjectServer }) {
  const address = { projectId: server.projectId, serverId: server.id };
  const query = useOperation("getConformanceSchedule", address);
  const [editing, setEditing] = useState(false);
  return (
    <Loaded query={query} what="the schedule">
      {(schedule) => (
        <ScheduleView
          title="Conformance, by itself"
          schedule={schedule}
          why="A check every night shows when the server stops keeping to the specification. The project's notices tell when a verdict turns."
          onChange={() => setEditing(true)}
        >
          {editing && (
            <ScheduleDialog address={address} schedule={schedule} onClose={() => setEditing(false)} />
          )}
        </ScheduleView>
      )}
    </Loaded>
  );
}

interface ScheduleDialogProps {
  address: { projectId: string; serverId: string };
  schedule: ConformanceSchedule;
  onClose: () => void;
}

function ScheduleDialog({ address, schedule, onClose }: ScheduleDialogProps) {
  const [minutes, setMinutes] = useState(schedule.enabled ? (schedule.intervalMinutes ?? day) : day);
  const save = useChange("updateConformanceSchedule", (now) => {
    toast(`Conformance: ${scheduleWords(now).toLowerCase()}`);
    onClose();
  });
  return (
    <FormDialog
      title="When it is checked by itself"
      description="Every suite the service can run, as you, with your rights of then."
      submit="Save schedule"
      action={save}
      onClose={onClose}
      onSubmit={(values) => {
        const time = String(values.get("time") ?? "");
        const first = minutes >= day && time !== "" ? { firstRunAt: nextAt(time, Date.now()) } : {};
        const body =
          minutes === 0 ? { enabled: false } : { enabled: true, intervalMinutes: minutes, ...first };
        save.run({ ...address, body });
      }}
    >
      <Field label="Interval" name="intervalMinutes">
        {(control) => (
          <Select
            {...control}
            value={String(minutes)}
            onChange={(event) => setMinutes(Number(event.target.value))}
            options={intervalOptions}
          />
        )}
      </Field>
      {minutes >= day && (
        <Field
          label="First at"
          name="time"
          hint="In your time. It stays at that hour of UTC when clocks change."
        >
          {(control) => <Input {...control} type="time" required defaultValue="02:00" />}
        </Field>
      )}
    </FormDialog>
  );
}
