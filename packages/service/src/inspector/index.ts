export { type InspectorOptions, type RunningInspector, startInspector } from "./inspector.ts";
