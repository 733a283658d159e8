/** @module Where a submission profile is looked for. Apart from its reader, which help should not load. */

export const defaultProfile = ".fettle/submission.yaml";
