/** @module Headers that tell browsers what our answers may do. Data may do nothing; the web app brings its own policy. */

/** On every answer; a page replaces the policy with its own. */
export function secureHeaders(publicUrl: URL | undefined): Record<string, string> {
  return {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    // Only where people really come by TLS: on a bare loopback address it would lock them out.
    ...(publicUrl?.protocol === "https:" && { "strict-transport-security": "max-age=31536000" }),
  };
}

/** For a page of ours to read: its own stylesheet and script, which asks nobody, and nothing else. */
export const readingPagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
