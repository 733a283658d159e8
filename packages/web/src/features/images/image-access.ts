/** @module Who may change an image, and if not, why; the service decides, this explains. */
import type { Project } from "@fettle/contract/people";
import type { SandboxImage } from "@fettle/contract/sandboxes";

/** Undefined: it can be changed. A draft that somebody sees is their own. */
export function writeRefusal(image: SandboxImage, role: Project["role"] | undefined): string | undefined {
  if (image.sharing === "user" || role === "admin") return undefined;
  return "It is shared: project admins can do this.";
}

export function shareRefusal(role: Project["role"] | undefined): string | undefined {
  return role === "admin" ? undefined : "Project admins can share images.";
}
