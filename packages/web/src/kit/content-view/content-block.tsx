/** @module One block of what a server answered: text, JSON, image, link, embedded resource; anything else as it came. */
import { base64Size, sizeText } from "../../lib/bytes.ts";
import { isJsonObject, type Json, tryParse } from "../../lib/json-exact.ts";
import { JsonView } from "../json-view/json-view.tsx";
import { VisibleText } from "../visible-text.tsx";

/** Pictures a browser draws without running anything in them. */
const drawable = /^image\/(png|jpeg|gif|webp|avif|svg\+xml)$/;

export function ContentBlock({ block, label }: { block: Json; label: string }) {
  if (!isJsonObject(block)) return <JsonView value={block} label={label} />;
  if (block.type === "text" && typeof block.text === "string")
    return <TextContent text={block.text} label={label} />;
  if (block.type === "resource" && isJsonObject(block.resource))
    return <ResourceContent content={block.resource} label={label} />;
  if (block.type === "resource_link" && typeof block.uri === "string") {
    return (
      <p className="break-all">
        <span className="text-faint">Link to </span>
        <code className="text-code">
          <VisibleText text={block.uri} />
        </code>
      </p>
    );
  }
  if ((block.type === "image" || block.type === "audio") && typeof block.data === "string") {
    return <BinaryContent data={block.data} mimeType={String(block.mimeType ?? "")} label={label} />;
  }
  return <JsonView value={block} label={label} />;
}

/** The contents of a resource: `text`, or `blob` in base64. */
export function ResourceContent({ content, label }: { content: Record<string, Json>; label: string }) {
  if (typeof content.text === "string") return <TextContent text={content.text} label={label} />;
  if (typeof content.blob === "string") {
    return <BinaryContent data={content.blob} mimeType={String(content.mimeType ?? "")} label={label} />;
  }
  return <JsonView value={content} label={label} />;
}

/** JSON inside a text is read from that text, so that its numbers stay as they are written. */
export function TextContent({ text, label }: { text: string; label: string }) {
  const parsed = /^\s*[[{]/.test(text) ? tryParse(text) : undefined;
  if (parsed?.ok) return <JsonView value={parsed.value} label={label} />;
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard.
      tabIndex={0}
      aria-label={label}
      className="max-h-[32rem] overflow-auto whitespace-pre-wrap break-words rounded-control border border-line bg-sunken px-3 py-2.5 font-mono text-code"
    >
      <VisibleText text={text} />
    </section>
  );
}

function BinaryContent({ data, mimeType, label }: { data: string; mimeType: string; label: string }) {
  const size = sizeText(base64Size(data));
  if (drawable.test(mimeType)) {
    return (
      <figure className="stack gap-1">
        <img
          src={`data:${mimeType};base64,${data}`}
          alt={label}
          className="max-h-[32rem] w-fit max-w-full rounded-control border border-line bg-sunken"
        />
        <figcaption className="text-faint text-sm">
          {mimeType}, {size}
        </figcaption>
      </figure>
    );
  }
  return (
    <p className="rounded-control border border-line bg-sunken px-3 py-2.5 text-soft">
      {mimeType || "Bytes of no named type"}, {size}. It is not drawn here.
    </p>
  );
}
