export function changedSince(root: string, ref: string): string[];
export function reachedTests(root: string, changed: readonly string[]): string[] | "all";
export function filesByUse(root: string): Map<string, string[]>;
