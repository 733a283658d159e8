/** @module Content blocks for eyes: text as text, pictures and sounds by size, resources by address. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { outline } from "../output/outline.ts";
import { block, lines, style, type Text, text } from "../output/text.ts";

export function contentText(content: unknown): Text {
  const blocks = Array.isArray(content) ? content : [];
  return lines(blocks.map(blockText));
}

export function blockText(item: unknown): Text {
  if (!isObject(item)) return outline(item);
  switch (item.type) {
    case "text":
      return block(String(item.text ?? ""));
    case "image":
    case "audio":
      return style.dim(
        text`[${String(item.type)} ${String(item.mimeType ?? "")}, ${bytesOf(item.data)} bytes]`,
      );
    case "resource":
      return isObject(item.resource) ? resourceText(item.resource) : outline(item);
    case "resource_link":
      return text`${style.dim("[link]")} ${String(item.name ?? "")} ${style.cyan(String(item.uri ?? ""))}`;
    default:
      return outline(item);
  }
}

/** One of `contents` of a read, or an embedded resource. */
export function resourceText(resource: JsonObject): Text {
  const { uri, mimeType, text: content, blob } = resource;
  const heading = style.dim(
    text`${String(uri ?? "")}${typeof mimeType === "string" ? ` (${mimeType})` : ""}`,
  );
  if (typeof content === "string") return lines([heading, block(content)]);
  return lines([heading, style.dim(text`[${bytesOf(blob)} bytes]`)]);
}

function bytesOf(base64: unknown): number {
  return typeof base64 === "string" ? Math.floor((base64.length * 3) / 4) : 0;
}
