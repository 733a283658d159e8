/**
 * @module The commands that are run again and again, from scripts and loops. The build makes of them a second, small
 * program in one file: finding and linking the many files of the whole one takes longer than any of these runs.
 */
export const quickCommands: readonly string[] = [
  "tools list",
  "tools call",
  "resources list",
  "resources read",
  "resources templates",
  "prompts list",
  "prompts get",
  "server probe",
  "server info",
  "server ping",
  "server capabilities",
  "server validate",
];
