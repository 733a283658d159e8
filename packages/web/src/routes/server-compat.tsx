/** @module `/p/:pid/servers/:sid/hosts`: on which AI hosts the server works. */
import { CompatView } from "../features/servers/parts/compat-view.tsx";
import { ServerFrame } from "./frames/server-frame.tsx";

export function ServerCompatPage() {
  return <ServerFrame id="server-compat">{(server) => <CompatView server={server} />}</ServerFrame>;
}
