export {
  InspectorAck,
  InspectorCommand,
  InspectorCommandAnswer,
  type InspectorFault,
  InspectorHealth,
  type InspectorPayloads,
  type InspectorRefusal,
  InspectorShown,
  InspectorState,
  InspectorStatus,
  InspectorTab,
  InspectorTabs,
  inspectorHeader,
  inspectorRefusals,
  inspectorService,
} from "./control.ts";
export { inspectorLimits } from "./limits.ts";
export { type LocalOperationId, localOperationIds } from "./operations.ts";
