/** @module Enables, disables and uninstalls a plugin. */
import type { Plugin } from "@fettle/contract";
import { useState } from "react";
import { Blocked } from "../../../kit/blocked.tsx";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import { setPluginEnabled, uninstallPlugin } from "../queries.ts";

export interface PluginControlsProps {
  plugin: Plugin;
  blocked: string | undefined;
  onUninstalled: () => void;
}

export function PluginControls({ plugin, blocked, onUninstalled }: PluginControlsProps) {
  const [uninstalling, setUninstalling] = useState(false);
  const enable = useAction(
    () => setPluginEnabled(plugin.projectId, plugin.id, !plugin.enabled),
    ({ enabled }) => toast(`${plugin.name} is ${enabled ? "enabled" : "disabled"}`),
  );
  const uninstall = useAction(
    () => uninstallPlugin(plugin.projectId, plugin.id),
    () => {
      toast(`${plugin.name} is uninstalled`);
      onUninstalled();
    },
  );
  return (
    <>
      <Panel title={plugin.enabled ? "Disable or uninstall" : "Enable or uninstall"}>
        <div className="stack gap-4">
          <div className="flex flex-wrap items-center justify-between gap-4">
            <p className="max-w-lg text-soft">
              {plugin.enabled
                ? "Disabled, it stays installed, but no environment may pin it and those that do cannot run."
                : "It is installed, but no environment may pin it, and those that do cannot run."}
            </p>
            <Blocked reason={blocked}>
              <Button busy={enable.busy} onClick={() => enable.run()}>
                {plugin.enabled ? "Disable" : "Enable"}
              </Button>
            </Blocked>
          </div>
          <FormFailure failure={enable.failure} />
          <div className="flex flex-wrap items-center justify-between gap-4">
            <p className="max-w-lg text-soft">
              Uninstalled, its skills and servers are gone from the project. Runs that used it keep what they
              recorded.
            </p>
            <Blocked reason={blocked}>
              <Button look="danger" onClick={() => setUninstalling(true)}>
                Uninstall
              </Button>
            </Blocked>
          </div>
        </div>
      </Panel>
      <ConfirmDialog
        open={uninstalling}
        onClose={() => setUninstalling(false)}
        title={`Uninstall ${plugin.name}?`}
        typed={{ label: "Name of the plugin", text: plugin.name }}
        confirm="Uninstall plugin"
        action={uninstall}
      >
        <p>
          Its skills and servers leave the project, with the secrets of those servers. Environments that pin
          one of its versions cannot run.
        </p>
      </ConfirmDialog>
    </>
  );
}
