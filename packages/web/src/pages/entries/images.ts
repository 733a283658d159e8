/** @module Sandbox images: what computers and servers are started from. */
import { pagesOf } from "../page.ts";

export const imagesPages = pagesOf("project", [
  {
    id: "images",
    path: "/p/$pid/images",
    title: "Images",
    about: "What computers and servers are started from, and your own computer",
    reads: ["listSandboxImages", "getOwnComputer", "listProjectServers"],
    action: { label: "New image", operation: "createSandboxImage" },
    empty: {
      title: "No images yet",
      text: "An image is what a computer is started from, and what a server's command runs in: a base, and what is installed on it. Write one as a blueprint.",
    },
    terminal: { operation: "listSandboxImages" },
    navigation: { label: "Images", order: 8 },
  },
  {
    id: "image",
    path: "/p/$pid/images/$iid",
    title: "Image",
    about: "The image's blueprint, and what was built of it",
    reads: [
      "getSandboxImage",
      "validateSandboxImageBlueprint",
      "listSandboxImageBuilds",
      "getOwnComputer",
      "listProjectServers",
    ],
    terminal: { operation: "getSandboxImage" },
  },
]);
