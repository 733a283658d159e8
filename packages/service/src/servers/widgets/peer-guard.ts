/**
 * @module No peer-to-peer connections from widgets: WebRTC obeys no source of a Content Security Policy, so a widget could carry out
 * what it sees. The first line is a header that Chromium obeys; the second is a script that takes the constructors away, also in
 * frames that a widget writes itself.
 */

/** Leaves addresses to the Content Security Policy, and shuts WebRTC. Browsers that do not know it ignore it. */
export const connectionAllowlist = '("*://*:*/*");redirects=allow;webrtc=block';

/**
 * Runs first in the document. A frame with `srcdoc` has constructors of its own, so what it holds is given the same script before it
 * loads: an observer is called as soon as the script that added the frame has ended, and a frame loads only after that.
 */
const script = `(() => {
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "mozRTCPeerConnection"]) {
    delete window[name];
    Object.defineProperty(window, name, { value: undefined });
  }
  const guard = document.currentScript.outerHTML;
  document.currentScript.remove();
  const { getAttribute, setAttribute, querySelectorAll, attachShadow } = Element.prototype;
  const inFragment = DocumentFragment.prototype.querySelectorAll;
  const call = Function.prototype.call.bind(Function.prototype.call);
  const starts = Function.prototype.call.bind(String.prototype.startsWith);
  const hold = (frame) => {
    const html = call(getAttribute, frame, "srcdoc");
    if (html !== null && !starts(html, guard)) call(setAttribute, frame, "srcdoc", guard + html);
  };
  const look = (records) => {
    for (const { target, addedNodes } of records) {
      if (target.nodeName === "IFRAME") hold(target);
      for (const node of addedNodes) {
        if (node.nodeName === "IFRAME") hold(node);
        if (node instanceof Element) call(querySelectorAll, node, "iframe").forEach(hold);
        else if (node instanceof DocumentFragment) call(inFragment, node, "iframe").forEach(hold);
      }
    }
  };
  const watch = (root) => new MutationObserver(look).observe(root, { subtree: true, childList: true, attributeFilter: ["srcdoc"] });
  watch(document);
  Element.prototype.attachShadow = function (options) {
    const root = call(attachShadow, this, options);
    watch(root);
    return root;
  };
})();`;

/** Behind the doctype, where it has one: before that it would change how the document is laid out. */
export function withPeerGuard(html: string): string {
  return withFirstScript(html, script);
}

export function withFirstScript(html: string, first: string): string {
  const [doctype] = /^\uFEFF?\s*<!doctype[^>]*>/i.exec(html) ?? [""];
  return `${doctype}<script>${first}</script>${html.slice(doctype.length)}`;
}
