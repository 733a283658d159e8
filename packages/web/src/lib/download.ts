/** @module Hands a file to the person. */
export function download(name: string, content: BlobPart, type = "application/octet-stream"): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name.replaceAll(/[^\w.-]+/g, "-");
  link.click();
  URL.revokeObjectURL(url);
}

export function downloadJson(name: string, content: unknown): void {
  download(name, `${JSON.stringify(content, null, 2)}\n`, "application/json");
}
