/** @module What a page reads is for those who test it; browsers are not sent the list. */
import type { Plugin } from "vite";
import { isPages } from "./chunks.ts";

export function leaveOutReads(): Plugin {
  return {
    name: "fettle-leave-out-reads",
    enforce: "pre",
    transform: (code, id) =>
      isPages(id) ? { code: code.replace(/\breads: \[[^\]]*\],/g, ""), map: null } : undefined,
  };
}
