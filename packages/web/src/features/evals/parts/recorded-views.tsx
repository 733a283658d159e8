/** @module Three views of one recording: what was said, when it happened, and all of it. Loaded when somebody looks at a repetition. */
import { useState } from "react";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import type { Recording } from "../../../kit/recorded/recording.ts";
import { Transcript } from "../../../kit/recorded/transcript.tsx";
import { tryParse } from "../../../lib/json-exact.ts";
import { Choice } from "../../../ui/choice.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Waterfall } from "./waterfall.tsx";

type View = "conversation" | "trace" | "raw";

export function RecordedViews({ raw, recording }: { raw: unknown; recording: Recording | undefined }) {
  const [wanted, setView] = useState<View>("conversation");
  const view = recording ? wanted : "raw";
  const parsed = tryParse(JSON.stringify(raw));
  return (
    <section aria-label="What happened" className="stack gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-semibold">What happened</h3>
        <Choice
          as="segments"
          hideLabel
          label="View"
          value={view}
          onChange={setView}
          disabled={!recording}
          options={[
            { value: "conversation", label: "Conversation" },
            { value: "trace", label: "Timing" },
            { value: "raw", label: "Raw" },
          ]}
        />
      </div>
      {!recording && <Notice kind="info">It was recorded by a newer version, and is shown as it is.</Notice>}
      {view === "conversation" && recording && <Transcript recording={recording} />}
      {view === "trace" && recording && <Waterfall recording={recording} />}
      {view === "raw" && <JsonView label="Trace" value={parsed.ok ? parsed.value : null} openDepth={2} />}
    </section>
  );
}
