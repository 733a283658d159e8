/** @module What did not arrive whole: items that break the protocol, and lists that were cut. */
import { Notice } from "../ui/notice.tsx";
import { VisibleText } from "./visible-text.tsx";

export interface ListRemarksProps {
  noun: string;
  malformed: readonly { index: number; name?: string | undefined; reason: string }[];
  cut: boolean;
}

export function ListRemarks({ noun, malformed, cut }: ListRemarksProps) {
  if (malformed.length === 0 && !cut) return null;
  return (
    <Notice kind="warn" title={`Not all ${noun} could be shown`}>
      {cut && <p>The list goes on, but was not followed to its end.</p>}
      {malformed.map((item) => (
        <p key={item.index}>
          <VisibleText text={`${item.name ?? `Item ${item.index + 1}`}: ${item.reason}`} />
        </p>
      ))}
    </Notice>
  );
}
