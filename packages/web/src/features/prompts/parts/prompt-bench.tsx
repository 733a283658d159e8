/** @module A server's prompts: pick one, fill it in, see the messages a model would get. */
import type { ProjectServer } from "@fettle/contract/servers";
import { useQuery } from "@tanstack/react-query";
import { MessageSquareText } from "lucide-react";
import { lazy, Suspense } from "react";
import { ListRemarks } from "../../../kit/list-remarks.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { Panes } from "../../../kit/panes.tsx";
import { PickList } from "../../../kit/pick-list.tsx";
import { StateView } from "../../../kit/state-view.tsx";
import { useListChanges } from "../../../kit/use-list-changes.ts";
import { promptsQuery } from "../queries.ts";

/** There is nothing to fill in before the server has named its prompts. */
const PromptPanes = lazy(async () => ({ default: (await import("./prompt-panes.tsx")).PromptPanes }));

export interface PromptBenchProps {
  server: ProjectServer;
  selected: string;
  onSelect: (name: string) => void;
  filter: string;
  onFilter: (filter: string) => void;
}

export function PromptBench({ server, selected, ...list }: PromptBenchProps) {
  const query = useQuery(promptsQuery({ projectId: server.projectId, serverId: server.id }));
  useListChanges(server.id, "prompts", query);
  return (
    <Loaded query={query} what="the prompts">
      {({ items, ...remarks }) => {
        const prompt = items.find(({ name }) => name === selected) ?? items[0];
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
            <ListRemarks noun="prompts" {...remarks} />
            <Panes>
              <div className="flex min-h-0 flex-col gap-2 p-3">
                <PickList
                  {...list}
                  noun="prompts"
                  items={items.map(({ name, title, description }) => ({
                    id: name,
                    title: name,
                    about: [title, description].find((each) => typeof each === "string"),
                  }))}
                  selected={prompt.name}
                  onRefresh={() => void query.refetch()}
                />
              </div>
              <Suspense>
                <PromptPanes
                  key={prompt.name}
                  server={server}
                  prompt={prompt}
                  isChosen={prompt.name === selected}
                />
              </Suspense>
            </Panes>
          </>
        );
      }}
    </Loaded>
  );
}
