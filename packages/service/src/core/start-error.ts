/** @module Why the service could not start, said so that a person can act on it. */

export type StartErrorCode =
  | "CONFIG_INVALID"
  | "BIND_REFUSED"
  | "PORT_IN_USE"
  | "ADDRESS_UNAVAILABLE"
  | "DATA_FOLDER_IN_USE"
  | "INSPECTOR_RUNNING"
  | "DATABASE_NOT_RUNNING"
  | "DATABASE_NOT_FOUND"
  | "DATABASE_UNSUPPORTED_PLATFORM"
  | "DATABASE_UNREACHABLE_FOLDER"
  | "DATABASE_START_FAILED"
  | "DATABASE_NEWER"
  | "DATABASE_OLDER"
  | "SECRET_KEY_MISSING"
  | "SECRET_KEY_WRONG";

/** The command prints `message`, then `hint`, and exits; nothing else needs to know the cause. */
export class StartError extends Error {
  readonly code: StartErrorCode;
  readonly hint: string;

  constructor(code: StartErrorCode, message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StartError";
    this.code = code;
    this.hint = hint;
  }
}
