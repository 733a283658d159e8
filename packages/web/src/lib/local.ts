/** @module Whether these pages are on somebody's own machine: the inspector marks its documents, and says which pages it has. */
const mark = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="fettle-local-pages"]');

export const isLocal = mark != null;

export const localPages: ReadonlySet<string> = new Set(mark?.content.split(" "));
