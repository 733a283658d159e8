export { doctor } from "./diagnostics/doctor.ts";
export type {
  DoctorObservations,
  ObservedConnection,
  ObservedList,
} from "./diagnostics/doctor-observations.ts";
export {
  type DoctorCheck,
  type DoctorCheckName,
  type DoctorFinding,
  type DoctorFindingCode,
  type DoctorReport,
  type DoctorStatus,
  doctorChecks,
} from "./diagnostics/doctor-report.ts";
export { judgeDoctor } from "./diagnostics/doctor-verdict.ts";
export { type DoctorOptions, examine } from "./diagnostics/examine.ts";
export {
  readServer,
  type ServerContents,
  type ServerExport,
  type ServerSnapshot,
  toExport,
  toSnapshot,
} from "./diagnostics/export-server.ts";
export { type InitInfo, initInfoOf } from "./diagnostics/init-info.ts";
export { type ProbeOptions, probe } from "./diagnostics/probe.ts";
export type { ProbeAttempt, ProbeOauth, ProbeReport, ProbeStatus } from "./diagnostics/probe-report.ts";
export {
  type DoctorTarget,
  type HeldCredentials,
  targetFacts,
  targetWords,
} from "./diagnostics/target-facts.ts";
export { toolsMetadataOf } from "./diagnostics/tools-metadata.ts";
