/** @module The words of sandbox images. Free of zod, for pages. */

/** Whose it is: one person's draft, or the project's. */
export const imageSharings = ["user", "project"] as const;

/** A build, from its place in the queue to its end. */
export const imageBuildStatuses = ["queued", "building", "ready", "failed"] as const;

/** What an image may be made of: official images that somebody keeps up. */
export const imageBases = ["debian", "ubuntu", "node", "python"] as const;

/** What builds images: the container engine of the deployment. */
export const imageProvider = "sandbox";

/** A computer: being made, in use, stopped with its files kept, or not to be made. */
export const computerStatuses = ["provisioning", "ready", "asleep", "failed"] as const;
