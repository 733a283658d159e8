/** @module `/p/:pid/plugins`: bundles of skills and servers. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Plug } from "lucide-react";
import { useOpenPage, usePlace, useRefusal } from "../app/page-context.tsx";
import { PageFrame } from "../app/page-frame.tsx";
import { pageById, pagePath } from "../app/pages.ts";
import { usePrimaryAction, useSearchText } from "../app/use-search.ts";
import { PluginTable } from "../features/plugins/parts/plugin-table.tsx";
import { UploadPluginDialog } from "../features/plugins/parts/upload-plugin-dialog.tsx";
import { pluginsQuery } from "../features/plugins/queries.ts";
import { Blocked } from "../kit/blocked.tsx";
import { FilterInput } from "../kit/filter-input.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { NothingMatches } from "../kit/nothing-matches.tsx";
import { StateView } from "../kit/state-view.tsx";
import { Button } from "../ui/button.tsx";

const page = pageById("plugins");

export function Plugins() {
  const { pid = "" } = useOpenPage().parameters;
  const { project } = usePlace();
  const [filter, setFilter] = useSearchText("q");
  const [uploading, setUploading] = usePrimaryAction();
  const navigate = useNavigate();
  const blocked = useRefusal("plugins");
  return (
    <PageFrame id="plugins" about={page.about}>
      <Loaded query={useQuery(pluginsQuery(pid))} what="the plugins">
        {({ items }) => {
          if (items.length === 0) {
            return (
              <StateView
                state="empty"
                icon={<Plug aria-hidden="true" className="size-5" />}
                title={page.empty!.title}
                actions={
                  <Blocked reason={blocked}>
                    <Button onClick={() => setUploading(true)}>{page.action!.label}</Button>
                  </Blocked>
                }
              >
                {page.empty!.text}
              </StateView>
            );
          }
          const shown = items.filter(({ name, displayName = "", description = "" }) =>
            `${name} ${displayName} ${description}`.toLowerCase().includes(filter.toLowerCase()),
          );
          return (
            <div className="stack gap-4">
              <FilterInput label="Filter plugins" value={filter} onChange={setFilter} />
              {shown.length > 0 ? (
                <PluginTable plugins={shown} />
              ) : (
                <NothingMatches filter={filter} onClear={() => setFilter("")} />
              )}
            </div>
          );
        }}
      </Loaded>
      <UploadPluginDialog
        open={uploading && project?.role === "admin"}
        projectId={pid}
        onClose={() => setUploading(false)}
        onUploaded={({ pluginId }) => void navigate({ to: pagePath("plugin", { pid, plid: pluginId }) })}
      />
    </PageFrame>
  );
}
