/** @module A server's resources and templates: pick one, read it. */
import type { ProjectServer } from "@fettle/contract";
import { useQuery } from "@tanstack/react-query";
import { FileText } from "lucide-react";
import { lazy, Suspense } from "react";
import { ListRemarks } from "../../../kit/list-remarks.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { PickLayout, PickList } from "../../../kit/pick-list.tsx";
import { StateView } from "../../../kit/state-view.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { type Resource, type ResourceTemplate, resourcesQuery } from "../queries.ts";
import { nameOf } from "../resource-name.ts";

/** There is nothing to read before the server has named its resources. */
const ReadPanel = lazy(async () => ({ default: (await import("./read-panel.tsx")).ReadPanel }));
const TemplatePanel = lazy(async () => ({ default: (await import("./template-panel.tsx")).TemplatePanel }));

export interface ResourceReaderProps {
  server: ProjectServer;
  selected: string;
  onSelect: (id: string) => void;
  filter: string;
  onFilter: (filter: string) => void;
}

export function ResourceReader(props: ResourceReaderProps) {
  const address = { projectId: props.server.projectId, serverId: props.server.id };
  return (
    <Loaded query={useQuery(resourcesQuery(address))} what="the resources">
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
            <Reader {...props} resources={resources} templates={templates} />
          </>
        )
      }
    </Loaded>
  );
}

interface Lists {
  resources: readonly Resource[];
  templates: readonly ResourceTemplate[];
}

function Reader({
  server,
  resources,
  templates,
  selected,
  onSelect,
  filter,
  onFilter,
}: ResourceReaderProps & Lists) {
  const template = templates.find(({ uriTemplate }) => uriTemplate === selected);
  const resource = resources.find(({ uri }) => uri === selected) ?? (template ? undefined : resources[0]);
  const shown = template ?? resource ?? templates[0]!;
  const id = "uriTemplate" in shown ? String(shown.uriTemplate) : String(shown.uri);
  return (
    <PickLayout
      list={
        <PickList
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
            ...resources.map((each) => ({ id: each.uri, title: nameOf(each, each.uri), about: each.uri })),
          ]}
          selected={id}
          onSelect={onSelect}
          filter={filter}
          onFilter={onFilter}
        />
      }
    >
      <Suspense>
        {" "}
        {"uriTemplate" in shown ? (
          <TemplatePanel key={id} server={server} template={shown as ResourceTemplate} />
        ) : (
          <ReadPanel
            key={id}
            server={server}
            title={nameOf(shown, id)}
            about={typeof shown.description === "string" ? shown.description : undefined}
            uri={id}
          />
        )}
      </Suspense>{" "}
    </PickLayout>
  );
}
