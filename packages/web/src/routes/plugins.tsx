/** @module `/p/:pid/plugins`: bundles of skills and servers. */
import { useNavigate } from "@tanstack/react-router";
import { Plug } from "lucide-react";
import { useOperation } from "../api/operation.ts";
import { PluginTable } from "../features/plugins/parts/plugin-table.tsx";
import { UploadPluginDialog } from "../features/plugins/parts/upload-plugin-dialog.tsx";
import { useOpenPage, useRefusal } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { PageList } from "../pages/page-list.tsx";
import { pageById, pagePath } from "../pages/pages.ts";
import { usePrimaryAction } from "../pages/use-search.ts";

const page = pageById("plugins");

export function Plugins() {
  const { pid = "" } = useOpenPage().parameters;
  const query = useOperation("listProjectPlugins", { projectId: pid });
  const [uploading, setUploading] = usePrimaryAction();
  const refusal = useRefusal("plugins");
  const navigate = useNavigate();
  return (
    <PageFrame id="plugins" about={page.about}>
      <PageList
        id="plugins"
        query={query}
        noun="plugins"
        icon={Plug}
        textOf={({ name, displayName = "", description = "" }) => `${name} ${displayName} ${description}`}
      >
        {(shown) => <PluginTable plugins={shown} />}
      </PageList>
      {uploading && refusal === undefined && (
        <UploadPluginDialog
          projectId={pid}
          onClose={() => setUploading(false)}
          onUploaded={({ pluginId }) => void navigate({ to: pagePath("plugin", { pid, plid: pluginId }) })}
        />
      )}
    </PageFrame>
  );
}
