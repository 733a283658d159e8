/** The browser's path, or undefined when there is none and none may be installed. */
export function ensureChromium(): string | undefined;
