/** @module What browsers are not sent: what each page reads, which is for those who test it, and the routes under their old names, which no page calls. */
import type { Plugin } from "vite";
import { isPages } from "./chunks.ts";

const isRoutes = (id: string) => id.endsWith("/generated/operation-routes.ts");

export function leaveOut(): Plugin {
  const without = (code: string, shape: RegExp) => ({ code: code.replace(shape, ""), map: null });
  return {
    name: "fettle-leave-out",
    enforce: "pre",
    transform: (code, id) => {
      if (isPages(id)) return without(code, /\breads: \[[^\]]*\],/g);
      return isRoutes(id) ? without(code, /^ *\w+: "\w+ [^"]*\/hosts\b[^"]*",\n/gm) : undefined;
    },
  };
}
