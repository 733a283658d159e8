/** @module An address that a server wants opened. Shown as text and never opened by itself: the server chose it. */
import { VisibleText } from "./visible-text.tsx";

export interface AskedAddressProps {
  /** What the server says it is for. */
  message: unknown;
  address: string;
}

export function AskedAddress({ message, address }: AskedAddressProps) {
  return (
    <div className="stack gap-4">
      {typeof message === "string" && (
        <p className="whitespace-pre-line">
          <VisibleText text={message} />
        </p>
      )}
      <p className="break-all rounded-control bg-sunken px-3 py-2 font-mono text-code">
        <VisibleText text={address} />
      </p>
      {/^https?:\/\//i.test(address) && (
        <p>
          <a
            href={address}
            target="_blank"
            rel="noopener noreferrer"
            className="text-accent-text underline underline-offset-2"
          >
            Open it in a new tab
          </a>
        </p>
      )}
    </div>
  );
}
