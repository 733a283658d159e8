/** @module Which tools a run may execute, with their arguments: names are offered as the server lists them. */
import { conformanceLimits } from "@fettle/contract/core";
import { Plus, X } from "lucide-react";
import { useId } from "react";
import { useOperation } from "../../../api/operation.ts";
import type { ServerAddress } from "../../../api/server-calls.ts";
import { Button } from "../../../ui/button.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Input } from "../../../ui/input.tsx";
import { argumentsOf, type TypedTool } from "../fixtures.ts";

export interface FixtureFieldsProps {
  address: ServerAddress;
  tools: readonly TypedTool[];
  onChange: (tools: readonly TypedTool[]) => void;
}

export function FixtureFields({ address, tools, onChange }: FixtureFieldsProps) {
  const listId = useId();
  // Asked for once somebody wants to name one: it is a call to the server.
  const listed = useOperation("listTools", { ...address, body: {} }, { enabled: tools.length > 0 });
  const change = (at: number, next: Partial<TypedTool>) =>
    onChange(tools.map((tool, index) => (index === at ? { ...tool, ...next } : tool)));
  return (
    <fieldset className="stack gap-2">
      <legend className="mb-1.5 font-medium text-sm">Tools it may call</legend>
      <p className="text-faint text-sm">
        Checks of calls need a tool that may be executed. What is not named here is never called.
      </p>
      <datalist id={listId}>
        {listed.data?.items.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {tools.map((tool, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place alone.
        <div key={at} className="flex flex-wrap items-start gap-2">
          <Input
            aria-label={`Tool ${at + 1}`}
            placeholder="Tool"
            list={listId}
            value={tool.toolName}
            className="min-w-0 flex-1 basis-32 font-mono text-code"
            onChange={(event) => change(at, { toolName: event.target.value })}
          />
          <Input
            aria-label={`Arguments of tool ${at + 1}`}
            aria-invalid={argumentsOf(tool) === undefined || undefined}
            placeholder="{}"
            spellCheck={false}
            value={tool.text}
            className="min-w-0 flex-1 basis-40 font-mono text-code"
            onChange={(event) => change(at, { text: event.target.value })}
          />
          <IconButton label={`Leave out tool ${at + 1}`} onClick={() => onChange(tools.toSpliced(at, 1))}>
            <X aria-hidden="true" className="size-4" />
          </IconButton>
          {argumentsOf(tool) === undefined && (
            <p className="basis-full text-bad text-sm">Arguments are a JSON object.</p>
          )}
        </div>
      ))}
      <span>
        <Button
          disabled={tools.length >= conformanceLimits.fixtures}
          icon={<Plus aria-hidden="true" className="size-4" />}
          onClick={() => onChange([...tools, { toolName: "", text: "" }])}
        >
          Name a tool
        </Button>
      </span>
    </fieldset>
  );
}
