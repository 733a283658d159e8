/** @module What a list has wrong: items that break the protocol, those listed twice, and that it was cut. */
import { Notice } from "../ui/notice.tsx";
import { VisibleText } from "./visible-text.tsx";

interface Remark {
  index: number;
  name?: string | undefined;
  reason: string;
  isRepetition?: true | undefined;
}

export interface ListRemarksProps {
  noun: string;
  malformed: readonly Remark[];
  cut: boolean;
}

export function ListRemarks({ noun, malformed, cut }: ListRemarksProps) {
  const missing = malformed.filter(({ isRepetition }) => !isRepetition);
  const repeated = malformed.filter(({ isRepetition }) => isRepetition);
  return (
    <>
      {(missing.length > 0 || cut) && (
        <Notice kind="warn" title={`Not all ${noun} could be shown`}>
          {cut && <p>The list goes on, but was not followed to its end.</p>}
          {missing.map((item) => (
            <p key={item.index}>
              <VisibleText text={`${item.name ?? `Item ${item.index + 1}`}: ${item.reason}`} />
            </p>
          ))}
        </Notice>
      )}
      {repeated.length > 0 && (
        <Notice kind="warn" title={`Some ${noun} are listed twice`}>
          {repeated.map(({ index, reason }) => (
            <p key={index}>
              <VisibleText text={reason} />
            </p>
          ))}
        </Notice>
      )}
    </>
  );
}
