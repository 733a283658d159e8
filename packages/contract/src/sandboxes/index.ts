export { sandboxLimits } from "./limits.ts";
export type { OwnComputer } from "./own-computer.ts";
export type {
  ComputerAttached,
  ComputerReset,
  SandboxImage,
  SandboxImageBlueprintValidateResult,
  SandboxImageBuild,
  SandboxImageBuildStarted,
  SandboxImageCreateRequest,
  SandboxImageUpdateRequest,
} from "./sandbox-image.ts";
export { computerStatuses, imageBases, imageBuildStatuses, imageProvider, imageSharings } from "./words.ts";
