/** @module `/p/:pid/servers/open/recording`: messages from a file. Nothing is asked of any server, and nothing of the file is sent anywhere. */
import { FileJson } from "lucide-react";
import { useId, useMemo, useState } from "react";
import { ExchangeTimeline } from "../features/traffic/parts/exchange-timeline.tsx";
import { Messages } from "../features/traffic/parts/message-log.tsx";
import { type Recording as Recorded, readRecording } from "../features/traffic/recording.ts";
import { momentOf } from "../lib/time.ts";
import { PageFrame } from "../pages/page-frame.tsx";
import { pageById } from "../pages/pages.ts";
import { useSearchText } from "../pages/use-search.ts";
import { Button } from "../ui/button.tsx";
import { Choice } from "../ui/choice.tsx";
import { Notice } from "../ui/notice.tsx";

const page = pageById("recording");

export function Recording() {
  const [read, setRead] = useState<Recorded | { fault: string }>();
  const recording = read && "entries" in read ? read : undefined;
  return (
    <PageFrame
      id="recording"
      width="full"
      about={
        recording
          ? `Of ${recording.server}, saved ${momentOf(recording.savedAt)}. To be read only: no server is asked.`
          : page.about
      }
    >
      <FileField isFirst={!recording} onText={(text) => setRead(readRecording(text))} />
      {read && "fault" in read && (
        <Notice kind="bad" role="alert" title="This file cannot be shown">
          {read.fault}
        </Notice>
      )}
      {recording && <Shown recording={recording} />}
    </PageFrame>
  );
}

function Shown({ recording: { server, entries } }: { recording: Recorded }) {
  const [filter, setFilter] = useSearchText("q");
  const [view, setView] = useSearchText("view");
  const traffic = useMemo(() => ({ entries, dropped: 0 }), [entries]);
  return (
    <>
      <Choice
        label="How it is shown"
        hideLabel
        as="segments"
        options={[
          { value: "", label: "Messages" },
          { value: "timeline", label: "Timeline" },
        ]}
        value={view === "timeline" ? view : ""}
        onChange={setView}
      />
      <div className="flex h-[70dvh] min-h-80 flex-col overflow-hidden rounded-panel border border-line bg-surface">
        {view === "timeline" ? (
          <ExchangeTimeline entries={entries} />
        ) : (
          <Messages name={server} traffic={traffic} filter={filter} onFilter={setFilter} />
        )}
      </div>
    </>
  );
}

function FileField({ isFirst, onText }: { isFirst: boolean; onText: (text: string) => void }) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-3">
      <input
        id={id}
        type="file"
        accept="application/json,.json"
        aria-label="Recording"
        className="hidden"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          void file?.text().then(onText);
        }}
      />
      <Button
        look={isFirst ? "primary" : "secondary"}
        icon={<FileJson aria-hidden="true" className="size-4" />}
        onClick={() => document.getElementById(id)?.click()}
      >
        {isFirst ? "Choose a file" : "Choose another"}
      </Button>
      {isFirst && (
        <p className="text-soft">
          The traffic of a server has “Recording” among its exports. The file stays in this browser.
        </p>
      )}
    </div>
  );
}
