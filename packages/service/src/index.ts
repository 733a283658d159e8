export type { App } from "./app.ts";
export {
  bindRefusal,
  type Config,
  type Given,
  isLoopbackHost,
  type Option,
  type OptionName,
  options,
  readConfig,
} from "./config.ts";
export { StartError, type StartErrorCode } from "./start-error.ts";
