/** @module The saved server as other hosts want it written down. */
import { must } from "@fettle/contract/formats";
import { hostSnippets, type ProjectServer } from "@fettle/contract/servers";
import { useState } from "react";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Select } from "../../../ui/select.tsx";

export function HostSnippets({ server }: { server: ProjectServer & { url: string } }) {
  const snippets = hostSnippets(server);
  const [chosen, setChosen] = useState<string>();
  const { id, text, place } = must(
    snippets.find((snippet) => snippet.id === chosen) ?? snippets[0],
    "a host that takes it",
  );
  return (
    <Panel
      title="Use it elsewhere"
      about={
        server.headerNames.length > 0
          ? "Values of headers never leave Fettle: fill them in where you paste it."
          : "As other hosts want it written down."
      }
      aside={
        <Select
          aria-label="Host"
          value={id}
          onChange={(event) => setChosen(event.target.value)}
          options={snippets.map((snippet) => ({ value: snippet.id, label: snippet.host }))}
        />
      }
    >
      <div className="flex items-start gap-2 rounded-control bg-sunken p-3">
        <pre data-testid="host-snippet" className="min-w-0 flex-1 whitespace-pre-wrap break-all text-code">
          {text}
        </pre>
        <CopyButton small text={text} label="Copy configuration" />
      </div>
      <p className="mt-2 text-faint text-sm">
        Goes into <code>{place}</code>
      </p>
    </Panel>
  );
}
