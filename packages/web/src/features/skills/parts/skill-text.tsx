/** @module What a skill says: as it reads, or as it was written; and the files beside it. */

import type { FileMap, SkillDetail } from "@fettle/contract/environments";
import { Download } from "lucide-react";
import { useState } from "react";
import { TextContent } from "../../../kit/content-view/content-block.tsx";
import { Markdown } from "../../../kit/markdown.tsx";
import { fromBase64, textOf } from "../../../lib/base64.ts";
import { base64Size, sizeText } from "../../../lib/bytes.ts";
import { download } from "../../../lib/download.ts";
import { Choice } from "../../../ui/choice.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Panel } from "../../../ui/panel.tsx";

const views = [
  { value: "rendered", label: "Rendered" },
  { value: "raw", label: "Raw" },
] as const;

export function SkillText({ skill, files }: { skill: SkillDetail; files: FileMap }) {
  const [view, setView] = useState<(typeof views)[number]["value"]>("rendered");
  const { "SKILL.md": encoded = "", ...others } = files;
  const source = textOf(fromBase64(encoded)) ?? "";
  return (
    <>
      <Panel
        title="SKILL.md"
        aside={
          <span className="flex items-center gap-1">
            <Choice as="segments" hideLabel label="View as" options={views} value={view} onChange={setView} />
            <CopyButton small text={source} label="Copy SKILL.md" />
          </span>
        }
      >
        <div data-testid="skill-text" data-view={view}>
          {view === "raw" ? (
            <TextContent text={source} label="SKILL.md as it was written" />
          ) : skill.content === "" ? (
            <p className="text-soft">It has front matter only; there are no instructions in it.</p>
          ) : (
            <Markdown text={skill.content} label={`What ${skill.name} says`} />
          )}
        </div>
      </Panel>
      {Object.keys(others).length > 0 && (
        <Panel title="Supporting files" about="Kept beside the skill. Nothing in them is ever run.">
          <ul className="grid gap-2">
            {Object.entries(others).map(([path, content]) => (
              <SupportingFile key={path} path={path} content={content} />
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}

function SupportingFile({ path, content }: { path: string; content: string }) {
  const text = textOf(fromBase64(content));
  return (
    <li className="flex items-start gap-2">
      <details className="min-w-0 flex-1">
        <summary className="rounded-[4px] py-1">
          <code className="break-all text-code">{path}</code>{" "}
          <span className="text-faint text-sm">{sizeText(base64Size(content))}</span>
        </summary>
        <div className="mt-1">
          {text === undefined ? (
            <p className="text-soft">It is not text and is not drawn here.</p>
          ) : (
            <TextContent text={text} label={path} />
          )}
        </div>
      </details>
      <IconButton
        label={`Download ${path}`}
        onClick={() => download(path.split("/").at(-1) ?? path, fromBase64(content))}
      >
        <Download aria-hidden="true" className="size-4" />
      </IconButton>
    </li>
  );
}
