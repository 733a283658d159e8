export { declaredWidget } from "./declared.ts";
export { hostDisplayModes, playsOpenAi, widgetHost } from "./host.ts";
export { widgetLimits } from "./limits.ts";
export { widgetPolicy } from "./policy.ts";
export { RenderedWidget, type WidgetRefusals, type WidgetRequest } from "./rendered.ts";
