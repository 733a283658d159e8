/** @module The completion script for zsh. */
import { type FlagValue, ownValues, type Place, valueFlags, type Word } from "./words.ts";

export function zshScript(places: readonly Place[]): string {
  const valued = valueFlags(places);
  return `#compdef fettle
# fettle completion for zsh
_fettle() {
  local at="" i
  local -a next flags
  for ((i = 2; i < CURRENT; i++)); do
    case "\${words[i]}" in
      (${[...valued.keys()].join("|")}) ((i++)); continue ;;
    esac
    case "$at/\${words[i]}" in
${places
  .filter((place) => place.reachedBy.length > 0)
  .map((place) => `      (${place.reachedBy.join("|")}) at="${place.at}" ;;`)
  .join("\n")}
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${ownValues(places)
  .map(({ at, flag, value }) => `    ("${at} ${flag}") ${completeValue(value)}; return ;;`)
  .join("\n")}
  esac
  case "\${words[CURRENT-1]}" in
${[...valued].map(([flag, value]) => `    (${flag}) ${completeValue(value)}; return ;;`).join("\n")}
  esac
  case "$at" in
${places
  .map(
    ({ at, words, asks, flags }) => `    ("${at}")
      next=(${[...words.map(described), ...(asks ? [names] : [])].join(" ")})
      flags=(${flags.map(described).join(" ")}) ;;`,
  )
  .join("\n")}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then _describe -o 'flag' flags; else _describe 'command' next; fi
}
compdef _fettle fettle
`;
}

function described({ text, help }: Word): string {
  return `'${text}:${help.replaceAll("'", "'\\''").replaceAll(":", "\\:")}'`;
}

const names = `\${(f)"$(fettle complete "\${(j: :)words[1,CURRENT]}" 2>/dev/null)"}`;

function completeValue(value: FlagValue): string {
  if (value.kind === "choice") return `compadd -- ${value.choices.join(" ")}`;
  if (value.kind === "live") return `compadd -- ${names}`;
  return value.kind === "file" ? "_files" : "_message 'value'";
}
