export { Model } from "./model.ts";
export type { ModelProvider, ModelProviderRequest, ModelSpend, ModelTest } from "./model-provider.ts";
export {
  customProviderPattern,
  type EstimateConfidence,
  estimateConfidences,
  type ModelProviderId,
  modelProviderIds,
  modelProviderNames,
} from "./words.ts";
