/** @module Enables, disables and uninstalls a plugin. */
import type { Plugin } from "@fettle/contract/environments";
import { useState } from "react";
import { Blocked } from "../../../kit/blocked.tsx";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Button } from "../../../ui/button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";

export interface PluginControlsProps {
  plugin: Plugin;
  blocked: string | undefined;
  onUninstalled: () => void;
}

export function PluginControls({ plugin, blocked, onUninstalled }: PluginControlsProps) {
  const [uninstalling, setUninstalling] = useState(false);
  const address = { projectId: plugin.projectId, pluginId: plugin.id };
  const enable = useChange("setPluginEnabled", ({ enabled }) =>
    toast(`${plugin.name} is ${enabled ? "enabled" : "disabled"}`),
  );
  const uninstall = useChange("uninstallPlugin", () => {
    toast(`${plugin.name} is uninstalled`);
    onUninstalled();
  });
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
              <Button
                busy={enable.busy}
                onClick={() => enable.run({ ...address, body: { enabled: !plugin.enabled } })}
              >
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
      {uninstalling && (
        <ConfirmDialog
          title={`Uninstall ${plugin.name}?`}
          typed={{ label: "Name of the plugin", text: plugin.name }}
          confirm="Uninstall plugin"
          action={uninstall}
          onClose={() => setUninstalling(false)}
          onConfirm={() => uninstall.run(address)}
        >
          <p>
            Its skills and servers leave the project, with the secrets of those servers. Environments that pin
            one of its versions cannot run.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
