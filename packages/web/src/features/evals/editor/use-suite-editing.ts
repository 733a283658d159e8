/** @module One draft of a suite for all who show it: what the form changes is written as YAML, what is typed as YAML is read, and both are checked. */
import type { EvalSuiteEdition, EvalSuiteFinding } from "@fettle/contract/evals";
import { isSameJson } from "@fettle/contract/formats";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { type InputOf, operationOptions } from "../../../api/operation.ts";
import { type Editing, useEditing } from "../../../kit/conflict/draft-editor.tsx";
import { useSettled } from "../../../kit/use-settled.ts";
import { toast } from "../../../ui/toast.tsx";
import { saveSuite } from "../queries.ts";
import {
  draftFrom,
  isChanged,
  isOutdated,
  type Place,
  type SuiteBase,
  type SuiteDraft,
} from "./suite-draft.ts";

export interface SuiteAddress {
  projectId: string;
  suiteId: string;
  /** Whose draft it is. */
  userId: string;
}

export interface SuiteEditing {
  editing: Editing<SuiteBase, SuiteDraft>;
  /** What the YAML shows. */
  text: string;
  /** The form was used, and the YAML does not say so yet. */
  isWriting: boolean;
  /** The typed YAML cannot be read: the form shows what it was before. */
  isUnread: boolean;
  findings: readonly EvalSuiteFinding[];
  /** A text that was read, and where its parts stand. */
  read: { text: string; places: readonly Place[] };
}

/** Long enough for a word, short enough to follow; what is large takes the service longer to read, and is read less often. */
const pause = { usualMs: 250, largeMs: 1_000, largeFrom: 50_000 };

export function useSuiteEditing(
  { projectId, suiteId, userId }: SuiteAddress,
  stored: EvalSuiteEdition,
  refusal: string | undefined,
): SuiteEditing {
  const editing = useEditing<SuiteBase, SuiteDraft, { kind: "saved" | "conflict"; stored: SuiteBase }>({
    key: `suite:${userId}:${suiteId}`,
    keeps: true,
    stored,
    start: draftFrom,
    isChanged,
    isOutdated,
    faultOf: () => refusal,
    save: (draft) =>
      saveSuite({ projectId, suiteId }, { revision: draft.base.revision, document: { ...draft.document } }),
    onEnd: ({ kind, stored: now }) => {
      if (kind === "saved") toast(`${now.document.name} is saved`);
    },
  });
  const { draft, changed, edit } = editing;
  const said = draft.text ?? draft.document;
  const asked = useMemo(
    (): InputOf<"checkEvalSuiteDocument">["body"] =>
      typeof said === "string" ? { text: said } : { document: { ...said } },
    [said],
  );
  const isLarge = (draft.text ?? stored.text).length > pause.largeFrom;
  const settled = useSettled(asked, isLarge ? pause.largeMs : pause.usualMs);
  const { data, isPlaceholderData } = useQuery({
    ...operationOptions("checkEvalSuiteDocument", { projectId, suiteId, body: settled }),
    placeholderData: keepPreviousData,
    enabled: changed,
  });
  const isCurrent = settled === asked && data !== undefined && !isPlaceholderData;
  const findings = changed ? (data?.findings ?? []) : [];
  const blocked = refusal ?? (changed ? faultOf(isCurrent, findings.length) : undefined);
  const document = isCurrent && draft.text !== undefined ? data.document : null;
  useEffect(() => {
    if (document && !isSameJson(document, draft.document)) edit({ ...draft, document });
  });
  const read = changed && data ? data : stored;
  return {
    editing: { ...editing, blocked, submit: () => blocked === undefined && editing.submit() },
    text: draft.text ?? read.text,
    isWriting: changed && draft.text === undefined && !isCurrent,
    isUnread: draft.text !== undefined && isCurrent && data.document === null,
    findings,
    read,
  };
}

function faultOf(isCurrent: boolean, findings: number): string | undefined {
  if (!isCurrent) return "Being read …";
  if (findings === 0) return undefined;
  return findings === 1
    ? "One finding keeps it from being saved."
    : `${findings} findings keep it from being saved.`;
}
