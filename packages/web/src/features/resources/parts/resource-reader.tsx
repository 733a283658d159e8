/** @module A server's resources and templates: pick one, and it is read; those that changed since are marked. */
import type { ProjectServer } from "@fettle/contract/servers";
import { useQuery } from "@tanstack/react-query";
import { FileText } from "lucide-react";
import { lazy, Suspense, useSyncExternalStore } from "react";
import { changesOf } from "../../../api/server-changes.ts";
import { ListRemarks } from "../../../kit/list-remarks.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { Pane, Panes } from "../../../kit/panes.tsx";
import { PickList } from "../../../kit/pick-list.tsx";
import { StateView } from "../../../kit/state-view.tsx";
import { useListChanges } from "../../../kit/use-list-changes.ts";
import { Chip } from "../../../ui/chip.tsx";
import { type Resource, type ResourceTemplate, resourcesQuery } from "../queries.ts";
import { nameOf } from "../resource-name.ts";

/** There is nothing to read before the server has named its resources. */
const ReadPanes = lazy(async () => ({ default: (await import("./read-panes.tsx")).ReadPanes }));
const TemplatePanes = lazy(async () => ({ default: (await import("./template-panes.tsx")).TemplatePanes }));

export interface ResourceReaderProps {
  server: ProjectServer;
  selected: string;
  onSelect: (id: string) => void;
  filter: string;
  onFilter: (filter: string) => void;
}

export function ResourceReader(props: ResourceReaderProps) {
  const address = { projectId: props.server.projectId, serverId: props.server.id };
  const query = useQuery(resourcesQuery(address));
  useListChanges(props.server.id, "resources", query);
  return (
    <Loaded query={query} what="the resources">
      {({ resources, templates, ...remarks }) =>
        resources.length + templates.length === 0 ? (
          <StateView
            state="empty"
            icon={<FileText aria-hidden="true" className="size-5" />}
            title="No resources"
          >
            The server answers, and lists neither resources nor templates.
          </StateView>
        ) : (
          <>
            <ListRemarks noun="resources" {...remarks} />
            <Reader
              {...props}
              resources={resources}
              templates={templates}
              onRefresh={() => void query.refetch()}
            />
          </>
        )
      }
    </Loaded>
  );
}

interface Lists {
  resources: readonly Resource[];
  templates: readonly ResourceTemplate[];
  onRefresh: () => void;
}

function Reader({ server, resources, templates, selected, ...list }: ResourceReaderProps & Lists) {
  const { subscribe, get } = changesOf(server.id);
  const { updated, followed } = useSyncExternalStore(subscribe, get);
  const template = templates.find(({ uriTemplate }) => uriTemplate === selected);
  const resource = resources.find(({ uri }) => uri === selected);
  return (
    <Panes>
      <div className="flex min-h-0 flex-col gap-2 p-3">
        <PickList
          {...list}
          noun="resources"
          items={[
            ...templates.map((each) => ({
              id: each.uriTemplate,
              title: nameOf(each, each.uriTemplate),
              about: each.uriTemplate,
              chips: (
                <Chip plain tone="accent">
                  template
                </Chip>
              ),
            })),
            ...resources.map((each) => ({
              id: each.uri,
              title: nameOf(each, each.uri),
              about: each.uri,
              chips: updated.has(each.uri) ? (
                <Chip tone="accent">changed</Chip>
              ) : followed.includes(each.uri) ? (
                <Chip plain>subscribed</Chip>
              ) : undefined,
            })),
          ]}
          selected={selected}
        />
      </div>
      <Suspense>
        {template ? (
          <TemplatePanes key={selected} server={server} template={template} />
        ) : resource ? (
          <ReadPanes
            key={selected}
            server={server}
            title={nameOf(resource, resource.uri)}
            definition={resource}
            uri={resource.uri}
            isReadAtOnce
          />
        ) : (
          <Pane title="Resource">
            <p className="text-faint text-sm">
              {selected === ""
                ? "Choose a resource to read it."
                : "The server no longer lists what was chosen here."}
            </p>
          </Pane>
        )}
      </Suspense>
    </Panes>
  );
}
