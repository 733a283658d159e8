/** @module Shows a secret the only time it is ever shown. It cannot be closed by a slip, and its value lives in this dialog alone. */
import { type ReactNode, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";

export interface ShowOnceDialogProps {
  /** The secret; nothing is shown while there is none. */
  value: string | null;
  onClose: () => void;
  title: string;
  /** Why it will not be shown again. */
  about: ReactNode;
  /** What to call the secret, as in "key". */
  noun: string;
  /** Something to try it with. */
  example?: { label: string; command: string };
}

export function ShowOnceDialog({ value, onClose, title, about, noun, example }: ShowOnceDialogProps) {
  const [stored, setStored] = useState(false);
  const close = () => {
    setStored(false);
    onClose();
  };
  return (
    <Dialog
      open={value !== null}
      onClose={() => stored && close()}
      title={title}
      description={about}
      held
      wide
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div className="flex items-center gap-2 rounded-control border border-edge bg-sunken py-1.5 pr-1.5 pl-3">
          <code data-secret="" className="min-w-0 flex-1 select-all break-all text-code">
            {value}
          </code>
          <CopyButton text={value ?? ""} label={`Copy ${noun}`} look="primary" />
        </div>
        {example && (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
            <p className="font-medium text-sm">{example.label}</p>
            <div className="flex items-start gap-2 rounded-control border border-line bg-sunken py-1.5 pr-1.5 pl-3">
              <pre className="min-w-0 flex-1 overflow-x-auto py-1 text-code text-soft">{example.command}</pre>
              <CopyButton small text={example.command} label="Copy command" />
            </div>
          </div>
        )}
        <DialogActions>
          <Checkbox
            label="I have stored it"
            checked={stored}
            onChange={(event) => setStored(event.target.checked)}
            className="mr-auto self-center"
          />
          <Button look="primary" disabled={!stored} onClick={close}>
            Close
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
