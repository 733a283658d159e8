/** @module The completion script for bash. */
import { type FlagValue, ownValues, type Place, valueFlags } from "./words.ts";

export function bashScript(places: readonly Place[]): string {
  const valued = valueFlags(places);
  return `# fettle completion for bash
_fettle() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at="" words="" flags="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      ${[...valued.keys()].join("|")}) ((i++)); continue ;;
    esac
    case "$at/\${COMP_WORDS[i]}" in
${places
  .filter((place) => place.reachedBy.length > 0)
  .map((place) => `      ${place.reachedBy.join("|")}) at="${place.at}" ;;`)
  .join("\n")}
    esac
  done
  case "$at $prev" in
${ownValues(places)
  .map(({ at, flag, value }) => `    "${at} ${flag}") ${completeValue(value)}; return ;;`)
  .join("\n")}
  esac
  case "$prev" in
${[...valued].map(([flag, value]) => `    ${flag}) ${completeValue(value)}; return ;;`).join("\n")}
  esac
  case "$at" in
${places
  .map(
    ({ at, words, asks, flags }) =>
      `    "${at}") words="${[...words.map((word) => word.text), ...(asks ? [names] : [])].join(" ")}"; flags="${flags.map((flag) => flag.text).join(" ")}" ;;`,
  )
  .join("\n")}
  esac
  if [[ "$cur" == -* ]]; then words="$flags"; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _fettle fettle
`;
}

/** The line and not its words: bash takes an address apart at its colons. */
const names = `$(fettle complete "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)`;

function completeValue(value: FlagValue): string {
  if (value.kind === "choice") return `COMPREPLY=($(compgen -W "${value.choices.join(" ")}" -- "$cur"))`;
  if (value.kind === "live") return `COMPREPLY=($(compgen -W "${names}" -- "$cur"))`;
  return value.kind === "file" ? 'COMPREPLY=($(compgen -f -- "$cur"))' : "COMPREPLY=()";
}
