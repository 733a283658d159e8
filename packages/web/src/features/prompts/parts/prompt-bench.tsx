/** @module A server's prompts: pick one, fill it in, see the messages a model would get. */
import type { ProjectServer } from "@fettle/contract";
import { useQuery } from "@tanstack/react-query";
import { MessageSquareText } from "lucide-react";
import { lazy, Suspense } from "react";
import { ListRemarks } from "../../../kit/list-remarks.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { PickLayout, PickList } from "../../../kit/pick-list.tsx";
import { StateView } from "../../../kit/state-view.tsx";
import { promptsQuery } from "../queries.ts";

/** There is nothing to fill in before the server has named its prompts. */
const PromptPanel = lazy(async () => ({ default: (await import("./prompt-panel.tsx")).PromptPanel }));

export interface PromptBenchProps {
  server: ProjectServer;
  selected: string;
  onSelect: (name: string) => void;
  filter: string;
  onFilter: (filter: string) => void;
}

export function PromptBench({ server, selected, onSelect, filter, onFilter }: PromptBenchProps) {
  const address = { projectId: server.projectId, serverId: server.id };
  return (
    <Loaded query={useQuery(promptsQuery(address))} what="the prompts">
      {(list) => {
        const prompt = list.items.find(({ name }) => name === selected) ?? list.items[0];
        if (!prompt) {
          return (
            <StateView
              state="empty"
              icon={<MessageSquareText aria-hidden="true" className="size-5" />}
              title="No prompts"
            >
              The server answers, and lists no prompt at all.
            </StateView>
          );
        }
        return (
          <>
            <ListRemarks noun="prompts" {...list} />
            <PickLayout
              list={
                <PickList
                  noun="prompts"
                  items={list.items.map(({ name, title, description }) => ({
                    id: name,
                    title: name,
                    about: [title, description].find((each) => typeof each === "string"),
                  }))}
                  selected={prompt.name}
                  onSelect={onSelect}
                  filter={filter}
                  onFilter={onFilter}
                />
              }
            >
              <Suspense>
                <PromptPanel key={prompt.name} server={server} prompt={prompt} />
              </Suspense>
            </PickLayout>
          </>
        );
      }}
    </Loaded>
  );
}
