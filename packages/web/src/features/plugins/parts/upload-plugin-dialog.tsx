/** @module Uploads a plugin's bundle, which becomes a version: ready, or invalid with every reason. */
import type { PluginVersion } from "@fettle/contract";
import { useState } from "react";
import { BundlePicker } from "../../../kit/bundle-picker.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { type Bundle, bundleSize, toFileMap } from "../../../lib/bundle.ts";
import { sizeText } from "../../../lib/bytes.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Form } from "../../../ui/form.tsx";
import { uploadPlugin } from "../queries.ts";

export interface UploadPluginDialogProps {
  open: boolean;
  projectId: string;
  /** The plugin this should be a version of; the bundle's own manifest decides. */
  plugin?: string | undefined;
  onClose: () => void;
  onUploaded: (version: PluginVersion) => void;
}

export function UploadPluginDialog({
  open,
  projectId,
  plugin,
  onClose,
  onUploaded,
}: UploadPluginDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={plugin ? `Upload a version of ${plugin}` : "Upload a plugin"}
      description="A folder or zip archive with .claude-plugin/plugin.json (or plugin.json), skills in skills/ and servers in .mcp.json."
    >
      <UploadForm projectId={projectId} onClose={onClose} onUploaded={onUploaded} />
    </Dialog>
  );
}

function UploadForm({ projectId, onClose, onUploaded }: Omit<UploadPluginDialogProps, "open" | "plugin">) {
  const [files, setFiles] = useState<Bundle>();
  const upload = useAction((picked: Bundle) => uploadPlugin(projectId, toFileMap(picked)), onUploaded);
  return (
    <Form label="Upload a plugin" className="stack gap-4" onSubmit={() => files && upload.run(files)}>
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
      <FormFailure failure={upload.failure} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <SubmitButton busy={upload.busy} disabled={!files}>
          Upload
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}
