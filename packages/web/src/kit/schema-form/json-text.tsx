/** @module JSON typed by hand, with the place where it stops being JSON. */

import { isSameJson } from "@fettle/contract/formats";
import { CircleAlert } from "lucide-react";
import { useState } from "react";
import { type Json, tryParse } from "../../lib/json-exact.ts";
import { Textarea } from "../../ui/textarea.tsx";

export interface JsonTextProps {
  id: string;
  /** Its name, unless a label points to it. */
  label?: string;
  describedBy?: string | undefined;
  value: Json | undefined;
  /** A text that is no JSON yet, and why. */
  draft: { text: string; reason: string } | undefined;
  rows?: number;
  onText: (text: string) => void;
}

export function JsonText({ id, label, describedBy, value, draft, rows = 3, onText }: JsonTextProps) {
  const [typed, setTyped] = useState("");
  const error = draft?.reason;
  const text =
    draft?.text ?? (says(typed, value) ? typed : value === undefined ? "" : JSON.stringify(value, null, 2));
  const errorId = `${id}-error`;
  return (
    <div className="stack gap-1.5">
      <Textarea
        id={id}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={[error && errorId, describedBy].filter(Boolean).join(" ") || undefined}
        rows={rows}
        spellCheck={false}
        autoComplete="off"
        value={text}
        className="max-h-[28rem] font-mono text-code"
        onChange={(event) => {
          setTyped(event.target.value);
          onText(event.target.value);
        }}
      />
      {error && (
        <p id={errorId} role="status" className="flex gap-1.5 text-bad text-sm">
          <CircleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
          {error}
        </p>
      )}
    </div>
  );
}

/** While the typed text still means the value it stays as it is: rewriting it would move the cursor. */
function says(text: string, value: Json | undefined): boolean {
  const parsed = tryParse(text);
  return value !== undefined && parsed.ok && isSameJson(parsed.value, value);
}
