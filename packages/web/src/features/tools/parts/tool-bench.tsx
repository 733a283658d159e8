/** @module A server's tools: pick one, fill it in, run it, look at what came back. */
import { must } from "@fettle/contract/formats";
import type { ProjectServer } from "@fettle/contract/servers";
import { useQuery } from "@tanstack/react-query";
import { Wrench } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { type Tool, toolsQuery } from "../../../api/listed-tools.ts";
import { ListRemarks } from "../../../kit/list-remarks.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { Panes } from "../../../kit/panes.tsx";
import { PickList } from "../../../kit/pick-list.tsx";
import type { FormState } from "../../../kit/schema-form/form-state.ts";
import type { FormMode } from "../../../kit/schema-form/schema-form.tsx";
import { startingValue } from "../../../kit/schema-form/value.ts";
import { StateView } from "../../../kit/state-view.tsx";
import { useListChanges } from "../../../kit/use-list-changes.ts";
import { Chip } from "../../../ui/chip.tsx";
import { hintsOf, titleOf } from "../tool-hints.ts";
import { CallHistory } from "./call-history.tsx";

/** There is nothing to fill in before the server has named its tools. */
const ToolRunner = lazy(async () => ({ default: (await import("./tool-runner.tsx")).ToolRunner }));
/** Nor anything to compare. */
const ChangedDefinitions = lazy(async () => ({
  default: (await import("./changed-definitions.tsx")).ChangedDefinitions,
}));

export interface ToolBenchProps {
  server: ProjectServer;
  selected: string;
  onSelect: (name: string) => void;
  filter: string;
  onFilter: (filter: string) => void;
}

export function ToolBench(props: ToolBenchProps) {
  const address = { projectId: props.server.projectId, serverId: props.server.id };
  const query = useQuery(toolsQuery(address));
  useListChanges(props.server.id, "tools", query);
  return (
    <Loaded query={query} what="the tools">
      {(list) =>
        list.items.length === 0 ? (
          <StateView state="empty" icon={<Wrench aria-hidden="true" className="size-5" />} title="No tools">
            The server answers, and lists no tool at all.
          </StateView>
        ) : (
          <>
            <ListRemarks noun="tools" {...list} />
            <Suspense>
              <ChangedDefinitions serverId={props.server.id} tools={list.items} />
            </Suspense>
            <Bench {...props} tools={list.items} onRefresh={() => void query.refetch()} />
          </>
        )
      }
    </Loaded>
  );
}

function Bench({
  server,
  tools,
  selected,
  onSelect,
  filter,
  onFilter,
  onRefresh,
}: ToolBenchProps & { tools: readonly Tool[]; onRefresh: () => void }) {
  const tool = must(tools.find(({ name }) => name === selected) ?? tools[0], "a tool on the bench");
  // What was typed for a tool stays while another one is looked at.
  const [states, setStates] = useState<ReadonlyMap<string, FormState>>(new Map());
  const [mode, setMode] = useState<FormMode>("form");
  const state = states.get(tool.name) ?? startingState(tool);
  const setState = (name: string, next: FormState) => setStates((before) => new Map(before).set(name, next));
  return (
    <Panes>
      <div className="flex min-h-0 flex-col gap-2 p-3">
        <PickList
          noun="tools"
          items={tools.map((each) => ({
            id: each.name,
            title: each.name,
            about: titleOf(each) ?? (typeof each.description === "string" ? each.description : undefined),
            chips: hintsOf(each)
              .filter(({ tone }) => tone === "bad" || tone === "accent")
              .map(({ word, tone, about }) => (
                <Chip key={word} plain tone={tone} title={about}>
                  {word}
                </Chip>
              )),
          }))}
          selected={tool.name}
          onSelect={onSelect}
          filter={filter}
          onFilter={onFilter}
          onRefresh={onRefresh}
        />
      </div>
      <Suspense>
        <ToolRunner
          key={tool.name}
          server={server}
          tool={tool}
          state={state}
          onState={(next) => setState(tool.name, next)}
          mode={mode}
          onMode={setMode}
          calls={
            <CallHistory
              serverId={server.id}
              onReuse={(call) => {
                setState(call.toolName, { value: call.parameters, drafts: {} });
                onSelect(call.toolName);
              }}
            />
          }
        />
      </Suspense>
    </Panes>
  );
}

function startingState({ inputSchema }: Tool): FormState {
  return { value: startingValue(inputSchema, inputSchema) ?? {}, drafts: {} };
}
