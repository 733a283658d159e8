/** @module Which events somebody is told of. */
import { type NoticeEvent, noticeEvents } from "@fettle/contract/notices";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { eventWords } from "../notice-words.ts";

export interface EventChoiceProps {
  label: string;
  chosen: readonly NoticeEvent[];
  onChange: (chosen: NoticeEvent[]) => void;
}

export function EventChoice({ label, chosen, onChange }: EventChoiceProps) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium text-sm">{label}</legend>
      {noticeEvents.map((event) => (
        <Checkbox
          key={event}
          {...eventWords[event]}
          checked={chosen.includes(event)}
          onChange={({ target }) =>
            onChange(noticeEvents.filter((each) => (each === event ? target.checked : chosen.includes(each))))
          }
        />
      ))}
    </fieldset>
  );
}
