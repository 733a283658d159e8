/** @module Headers that tell browsers what our answers may do. Data may do nothing; pages may load their own files and no more. */

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

/** What our own pages may load. `nonce` lets the few style elements that libraries make at run time through. */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
