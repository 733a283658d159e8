/** @module The one place that touches browser storage: versioned, bounded, and silent when the browser forbids it. */

const prefix = "fettle:1:";
const maxCharacters = 16_384;

export function readStored(name: string): unknown {
  try {
    const text = localStorage.getItem(prefix + name);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function writeStored(name: string, value: unknown): void {
  const text = JSON.stringify(value);
  if (text.length > maxCharacters) return;
  try {
    localStorage.setItem(prefix + name, text);
  } catch {
    // Storage is full or forbidden: the choice then lasts for this page only.
  }
}

/** For this tab alone, until it is closed. */
export function writeForTab(name: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(prefix + name);
    else sessionStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden: whoever would read it has another way on.
  }
}

export function readForTab(name: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    const text = sessionStorage.getItem(prefix + name);
    return text === null ? undefined : parse(text);
  } catch {
    return undefined;
  }
}

/** Whoever signs in next is somebody else. */
export function forgetForTab(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix)) sessionStorage.removeItem(key);
    }
  } catch {
    // Where storage is forbidden nothing is kept.
  }
}

/** A cookie the service reads before the page exists, such as the theme. Never a secret. */
export function writeCookie(name: string, value: string | null): void {
  const age = value === null ? 0 : 31_536_000;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing outside secure contexts, where self-hosters start.
  document.cookie = `${name}=${value ?? ""}; path=/; max-age=${age}; samesite=lax`;
}
