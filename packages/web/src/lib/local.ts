/** @module Whether these pages are on somebody's own machine: the inspector marks its documents, the service does not. */
export const isLocal =
  globalThis.document?.querySelector('meta[name="fettle-mode"][content="local"]') != null;
