/** @module Picks files that belong together: a folder, a zip archive, or single files. They can be dropped here, too. */
import { FileArchive, FolderOpen } from "lucide-react";
import { type DragEvent, useId, useRef, useState } from "react";
import { type Bundle, readPicked } from "../lib/bundle.ts";
import { cx } from "../lib/cx.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

export interface BundlePickerProps {
  label: string;
  hint: string;
  /** What single files may end with, such as `.md,.zip`. */
  accept: string;
  onPicked: (files: Bundle) => void;
}

export function BundlePicker({ label, hint, accept, onPicked }: BundlePickerProps) {
  const [refusal, setRefusal] = useState<string>();
  const [over, setOver] = useState(false);
  const folder = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const id = useId();
  const take = async (picked: readonly File[]) => {
    if (picked.length === 0) return;
    const read = await readPicked(picked);
    setRefusal(read.ok ? undefined : read.reason);
    if (read.ok) onPicked(read.files);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take([...event.dataTransfer.files]);
  };
  const input = (ref: typeof folder, name: string, attributes: Record<string, string>) => (
    <input
      ref={ref}
      type="file"
      multiple
      tabIndex={-1}
      aria-label={name}
      className="hidden"
      {...attributes}
      onChange={(event) => {
        const picked = [...(event.target.files ?? [])];
        // The same choice again has to be noticed, too.
        event.target.value = "";
        void take(picked);
      }}
    />
  );
  return (
    <fieldset
      aria-describedby={id}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        "grid min-w-0 gap-2 rounded-control border border-dashed p-3",
        over ? "border-accent bg-accent-soft" : "border-line-strong",
      )}
    >
      <legend className="sr-only">{label}</legend>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          icon={<FileArchive aria-hidden="true" className="size-4" />}
          onClick={() => files.current?.click()}
        >
          Choose file
        </Button>
        <Button
          icon={<FolderOpen aria-hidden="true" className="size-4" />}
          onClick={() => folder.current?.click()}
        >
          Choose folder
        </Button>
      </div>
      <p id={id} className="text-faint text-sm">
        {hint}
      </p>
      {input(files, `${label}: file`, { accept })}
      {input(folder, `${label}: folder`, { webkitdirectory: "" })}
      {refusal && (
        <Notice kind="bad" role="alert">
          {refusal}
        </Notice>
      )}
    </fieldset>
  );
}
