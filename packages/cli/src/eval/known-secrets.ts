/** @module The credentials of a run that are known by value: of the models' keys, of the servers' headers and variables. */
import { knownCredentials, type ModelConfiguration, type ServerBinding } from "@fettle/evals";
import { type KnownSecret, secretsOf } from "@fettle/mcp";

export function knownSecrets(
  bindings: readonly ServerBinding[],
  configuration: ModelConfiguration,
): KnownSecret[] {
  return [
    ...Object.values(knownCredentials(configuration)),
    ...bindings.flatMap(({ target }) => secretsOf(target)),
  ];
}

/** The same by a name that may be told. */
export function namedSecrets(
  bindings: readonly ServerBinding[],
  configuration: ModelConfiguration,
): Record<string, string> {
  const ofServers = bindings.flatMap(({ name, target }) =>
    secretsOf(target).map((secret, index) => [
      `${name} ${index + 1}`,
      typeof secret === "string" ? secret : secret.text,
    ]),
  );
  return { ...knownCredentials(configuration), ...Object.fromEntries(ofServers) };
}
