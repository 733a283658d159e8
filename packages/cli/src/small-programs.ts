/**
 * @module The commands that are run again and again, from scripts and loops. The build makes of them small programs of one file
 * each: finding and linking the many files of the whole one takes longer than most of these runs.
 */
export const smallPrograms: Readonly<Record<string, readonly string[]>> = {
  quick: [
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
  ],
  /** Apart, because the checks are more than twice as long as all of the above. */
  judge: ["protocol conformance", "server doctor"],
};
