/** @module Copies a text and says so. */
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button, type ButtonLook } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";

export interface CopyButtonProps {
  text: string;
  label: string;
  look?: ButtonLook;
  /** Only the icon, with the label as its name. */
  small?: boolean;
}

export function CopyButton({ text, label, look = "secondary", small = false }: CopyButtonProps) {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");

  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 2000);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState("copied"),
      () => setState("refused"),
    );
  const said = { idle: label, copied: "Copied", refused: "The browser refused" }[state];
  const icon =
    state === "copied" ? (
      <Check aria-hidden="true" className="size-4 text-good" />
    ) : (
      <Copy aria-hidden="true" className="size-4" />
    );
  return (
    <>
      {small ? (
        <IconButton label={label} onClick={copy}>
          {icon}
        </IconButton>
      ) : (
        <Button look={look} icon={icon} onClick={copy}>
          {said}
        </Button>
      )}
      <span role="status" className="sr-only">
        {state === "idle" ? "" : said}
      </span>
    </>
  );
}
