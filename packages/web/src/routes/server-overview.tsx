/** @module `/p/:pid/servers/:sid/overview`: the server examined. */
import { DoctorView } from "../features/servers/parts/doctor-view.tsx";
import { ServerFrame } from "./server-frame.tsx";

export function ServerOverview() {
  return <ServerFrame id="server-overview">{(server) => <DoctorView server={server} />}</ServerFrame>;
}
