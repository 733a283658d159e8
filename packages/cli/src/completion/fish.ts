/** @module The completion script for fish. */
import { type FlagValue, type Place, valueFlags } from "./words.ts";

export function fishScript(places: readonly Place[]): string {
  return `# fettle completion for fish
function __fettle_at
  set -l at ''
  set -l skip 0
  for word in (commandline -opc)[2..]
    if test $skip = 1
      set skip 0
      continue
    end
    switch $word
      case ${[...valueFlags(places).keys()].map(quoted).join(" ")}
        set skip 1
        continue
    end
    switch "$at/$word"
${places
  .filter((place) => place.reachedBy.length > 0)
  .map((place) => `      case ${place.reachedBy.map(quoted).join(" ")}\n        set at ${quoted(place.at)}`)
  .join("\n")}
    end
  end
  test "$at" = "$argv[1]"
end
complete -c fettle -f
${places.flatMap(placeLines).join("\n")}
`;
}

const names = "'(fettle complete (commandline -cp) 2>/dev/null)'";

function placeLines({ at, words, asks, flags }: Place): string[] {
  const here = `complete -c fettle -n ${quoted(`__fettle_at ${quoted(at)}`)}`;
  return [
    ...words.map(({ text, help }) => `${here} -a ${quoted(text)} -d ${quoted(help)}`),
    ...(asks ? [`${here} -a ${names}`] : []),
    ...flags.map(({ text, short, value, help }) => {
      const letter = short ? ` -s ${short}` : "";
      return `${here} -l ${text.slice(2)}${letter}${valueMark(value)} -d ${quoted(help)}`;
    }),
  ];
}

function valueMark(value: FlagValue): string {
  if (value.kind === "choice") return ` -x -a ${quoted(value.choices.join(" "))}`;
  if (value.kind === "live") return ` -x -a ${names}`;
  return { none: "", file: " -r -F", unknown: " -x" }[value.kind];
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
