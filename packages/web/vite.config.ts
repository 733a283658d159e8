/** @module How the two documents (app and bare pages) are built. */
import { fileURLToPath } from "node:url";
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { areas, isCore, isPages, isShared } from "./src/build/chunks.ts";
import { compressAssets } from "./src/build/compress.ts";
import { leaveOut } from "./src/build/leave-out.ts";
import { writeSite } from "./src/build/site.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("."),
  resolve: {
    // Radix brings a scroll lock that writes style elements, which the policy forbids and no part of ours asks for.
    alias: { "react-remove-scroll": here("src/build/no-scroll-lock.ts") },
  },
  plugins: [leaveOut(), react(), tailwind(), writeSite(), compressAssets()],
  build: {
    outDir: here("dist"),
    emptyOutDir: true,
    target: "es2023",
    // Strict policy: nothing is turned into a data: URL in script, and no polyfill script is written.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: here("index.html"), bare: here("bare.html") },
      output: {
        // Without groups every icon and hook that two pages share becomes a request of its own.
        codeSplitting: {
          groups: [
            // A group takes along what its modules import, so what others build on comes first.
            { name: "core", test: isCore, priority: areas.length + 3 },
            { name: "pages", test: isPages, priority: areas.length + 2 },
            { name: "workspace", test: isShared, minShareCount: 2, priority: areas.length + 1 },
            // Never below zero: a negative one would come before all others.
            ...areas.map((area, at) => ({ ...area, minShareCount: 2, priority: areas.length - at })),
          ],
        },
      },
    },
  },
});
