/** @module `/p/:pid/plugins/:plid`: a plugin's versions, and what is in each. */
import type { Plugin } from "@fettle/contract/environments";
import { useNavigate } from "@tanstack/react-router";
import { useOperation } from "../api/operation.ts";
import { pickOne } from "../api/pick-one.ts";
import { EnabledChip } from "../features/plugins/parts/enabled-chip.tsx";
import { PluginControls } from "../features/plugins/parts/plugin-controls.tsx";
import { UploadPluginDialog } from "../features/plugins/parts/upload-plugin-dialog.tsx";
import { VersionCard } from "../features/plugins/parts/version-card.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { useWriteBlock } from "../kit/use-link-state.ts";
import { VisibleText } from "../kit/visible-text.tsx";
import { useOpenPage, useRefusal } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { pagePath } from "../pages/pages.ts";
import { usePrimaryAction } from "../pages/use-search.ts";
import { toast } from "../ui/toast.tsx";

export function PluginPage() {
  const { pid = "", plid = "" } = useOpenPage().parameters;
  const query = useOperation("listProjectPlugins", { projectId: pid }, { select: pickOne<Plugin>(plid) });
  const offline = useWriteBlock();
  const refusal = useRefusal("plugin");
  const blocked = refusal ?? offline;
  const [uploading, setUploading] = usePrimaryAction();
  const navigate = useNavigate();
  const plugin = query.data;
  return (
    <PageFrame
      id="plugin"
      title={plugin ? (plugin.displayName ?? plugin.name) : "Plugin"}
      about={plugin?.description && <VisibleText text={plugin.description} />}
      chip={plugin && <EnabledChip plugin={plugin} />}
    >
      <Loaded query={query} what="the plugin">
        {(open) => (
          <>
            <Versions plugin={open} blocked={blocked} />
            <PluginControls
              plugin={open}
              blocked={blocked}
              onUninstalled={() => void navigate({ to: pagePath("plugins", { pid }) })}
            />
          </>
        )}
      </Loaded>
      {uploading && refusal === undefined && (
        <UploadPluginDialog
          projectId={pid}
          plugin={plugin?.name}
          onClose={() => setUploading(false)}
          onUploaded={({ pluginId, status }) => {
            setUploading(false);
            toast(
              status === "ready" ? "The version is ready" : `The version is ${status}`,
              status === "invalid" ? "bad" : "good",
            );
            if (pluginId !== plid) void navigate({ to: pagePath("plugin", { pid, plid: pluginId }) });
          }}
        />
      )}
    </PageFrame>
  );
}

function Versions({ plugin, blocked }: { plugin: Plugin; blocked: string | undefined }) {
  const query = useOperation("listPluginVersions", { projectId: plugin.projectId, pluginId: plugin.id });
  return (
    <section aria-label="Versions" className="stack gap-3">
      <h2 className="font-semibold text-lg">Versions, newest first</h2>
      <Loaded query={query} what="the versions">
        {({ items }) => (
          <div className="stack gap-4">
            {items.map((version) => (
              <VersionCard key={version.id} plugin={plugin} version={version} blocked={blocked} />
            ))}
          </div>
        )}
      </Loaded>
    </section>
  );
}
