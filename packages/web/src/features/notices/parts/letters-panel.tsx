/** @module What of the project the person gets letters about. */
import type { NoticeEvent } from "@fettle/contract/notices";
import { useState } from "react";
import { useOperation } from "../../../api/operation.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import { EventChoice } from "./event-choice.tsx";

export function LettersPanel({ projectId, email }: { projectId: string; email: string }) {
  const query = useOperation("getNoticeLetters", { projectId });
  return (
    <Loaded query={query} what="your letters">
      {({ available, events }) =>
        available ? (
          <Letters key={events.join()} projectId={projectId} email={email} saved={events} />
        ) : (
          <Panel title="Letters to you">
            <Notice kind="info">This service sends no mail. Its operator can set that up.</Notice>
          </Panel>
        )
      }
    </Loaded>
  );
}

interface LettersProps {
  projectId: string;
  email: string;
  saved: readonly NoticeEvent[];
}

function Letters({ projectId, email, saved }: LettersProps) {
  const [events, setEvents] = useState<NoticeEvent[]>([...saved]);
  const save = useChange("updateNoticeLetters", (now) =>
    toast(now.events.length === 0 ? "You get no letters" : "Your letters are chosen"),
  );
  return (
    <Panel
      title="Letters to you"
      about={`To ${email}, and to nobody else: everyone chooses for themselves.`}
      footer={
        <>
          <span>Nothing is sent unless you choose it.</span>
          <Button
            look="primary"
            busy={save.busy}
            disabled={events.join() === saved.join()}
            onClick={() => save.run({ projectId, body: { events } })}
          >
            Save letters
          </Button>
        </>
      }
    >
      <EventChoice label="Write to me when" chosen={events} onChange={setEvents} />
      <FormFailure failure={save.failure} />
    </Panel>
  );
}
