/** @module The parts of a server's schema that nobody evaluated, each with its reason. */
import { type NotChecked, notCheckedText } from "@fettle/contract/servers";
import { Notice } from "../ui/notice.tsx";
import { VisibleText } from "./visible-text.tsx";

export function NotCheckedParts({ title, parts }: { title: string; parts: readonly NotChecked[] }) {
  return (
    <Notice kind="warn" title={title}>
      {parts.map((part) => (
        <p key={`${part.keyword} ${part.text}`}>
          <VisibleText text={notCheckedText(part)} />
        </p>
      ))}
    </Notice>
  );
}
