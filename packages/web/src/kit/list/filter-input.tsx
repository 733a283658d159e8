/** @module The filter over a list; `/` puts the cursor here. */
import { Search, X } from "lucide-react";
import { IconButton } from "../../ui/icon-button.tsx";
import { Input } from "../../ui/input.tsx";

export interface FilterInputProps {
  label: string;
  /** What can be written in it, beyond words. */
  hint?: string;
  value: string;
  onChange: (value: string) => void;
}

export function FilterInput({ label, hint, value, onChange }: FilterInputProps) {
  return (
    <div className="relative w-full max-w-72">
      <Search aria-hidden="true" className="-translate-y-1/2 absolute top-1/2 left-2.5 size-4 text-faint" />
      <Input
        data-filter=""
        type="text"
        role="searchbox"
        aria-label={label}
        placeholder={label}
        title={hint}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || value === "") return;
          event.stopPropagation();
          onChange("");
        }}
        className="px-8"
      />
      {value !== "" && (
        <IconButton label="Clear filter" onClick={() => onChange("")} className="absolute top-0 right-0">
          <X aria-hidden="true" className="size-3.5" />
        </IconButton>
      )}
    </div>
  );
}
