/** @module Uploads a plugin's bundle, which becomes a version: ready, or invalid with every reason. */
import type { PluginVersion } from "@fettle/contract/environments";
import { useState } from "react";
import { BundlePicker } from "../../../kit/bundle-picker.tsx";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { type Bundle, bundleSize, toFileMap } from "../../../lib/bundle.ts";
import { sizeText } from "../../../lib/bytes.ts";

export interface UploadPluginDialogProps {
  projectId: string;
  /** The plugin this should be a version of; the bundle's own manifest decides. */
  plugin?: string | undefined;
  onClose: () => void;
  onUploaded: (version: PluginVersion) => void;
}

export function UploadPluginDialog({ projectId, plugin, onClose, onUploaded }: UploadPluginDialogProps) {
  const [files, setFiles] = useState<Bundle>();
  const upload = useChange("uploadPlugin", onUploaded);
  return (
    <FormDialog
      title={plugin ? `Upload a version of ${plugin}` : "Upload a plugin"}
      description="A folder or zip archive with .claude-plugin/plugin.json (or plugin.json), skills in skills/ and servers in .mcp.json."
      submit="Upload"
      action={upload}
      ready={files !== undefined}
      onClose={onClose}
      onSubmit={() => files && upload.run({ projectId, body: { files: toFileMap(files) } })}
    >
      <BundlePicker
        label="Bundle"
        hint="Nothing in it is run. Commands, agents and hooks are counted as not supported and left out."
        accept=".zip,.plugin"
        onPicked={setFiles}
      />
      {files && (
        <div className="stack gap-1.5" role="status">
          <p className="text-sm text-soft">
            {files.size === 1 ? "1 file" : `${files.size} files`}, {sizeText(bundleSize(files))}
          </p>
          <ul
            aria-label="Picked files"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard.
            tabIndex={0}
            className="max-h-40 overflow-y-auto rounded-control border border-line bg-sunken px-3 py-2 font-mono text-code"
          >
            {[...files.keys()].map((path) => (
              <li key={path} className="break-all">
                {path}
              </li>
            ))}
          </ul>
        </div>
      )}
    </FormDialog>
  );
}
