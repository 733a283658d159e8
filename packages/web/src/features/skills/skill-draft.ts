/** @module A skill being written: the text of SKILL.md, and the files beside it. */
import type { FileMap } from "@fettle/contract/environments";
import { fromBase64, textOf, toBase64 } from "../../lib/base64.ts";
import { type Bundle, toFileMap } from "../../lib/bundle.ts";

export interface SkillDraft {
  source: string;
  /** The files beside it, as they are sent. */
  files: FileMap;
}

export const newDraft: SkillDraft = {
  source: `---
name: my-skill
description: What it does, and when a model should use it.
---

# My skill

Say step by step what to do.
`,
  files: {},
};

const bytesOf = (text: string) => new TextEncoder().encode(text);

export function draftOf(files: FileMap): SkillDraft {
  const { "SKILL.md": source = "", ...others } = files;
  return { source: textOf(fromBase64(source)) ?? "", files: others };
}

/** As it is saved. */
export function filesOf({ source, files }: SkillDraft): FileMap {
  return { "SKILL.md": toBase64(bytesOf(source)), ...files };
}

/** As it is checked: what the other files hold makes no difference, so it is not sent at every key. */
export function outlineOf({ source, files }: SkillDraft): FileMap {
  const names = Object.fromEntries(Object.keys(files).map((path) => [path, ""]));
  return { "SKILL.md": toBase64(bytesOf(source)), ...names };
}

/** A whole skill replaces the draft; files without a SKILL.md are laid beside it. */
export function withPicked(draft: SkillDraft, picked: Bundle): SkillDraft {
  const single = picked.size === 1 ? [...picked][0] : undefined;
  const isText = single && /\.md$/i.test(single[0]) && !single[0].includes("/");
  const whole =
    isText && Object.keys(draft.files).length === 0 && looksLikeSkill(single[1])
      ? single[1]
      : picked.get("SKILL.md");
  if (!whole) return { ...draft, files: { ...draft.files, ...toFileMap(picked) } };
  const others = [...picked].filter(([path, bytes]) => path !== "SKILL.md" && bytes !== whole);
  return { source: textOf(whole) ?? "", files: toFileMap(new Map(others)) };
}

function looksLikeSkill(bytes: Uint8Array): boolean {
  return /^\uFEFF?---[ \t]*\r?\n/.test(textOf(bytes) ?? "");
}
