/** @module Places that a configuration leaves open (`${TOKEN}`, `${input:key}`, `{env:KEY}`): what they are called and how they are filled. */

export interface OpenPlace {
  /** As written. */
  text: string;
  /** What a person calls it: the variable's or the input's name. */
  name: string;
  /** What the file says to use when nobody gives a value. */
  fallback?: string;
  /** What the file says of it. */
  about?: string;
}

const written = /\$\{([^}]+)\}|\{env:([^}]+)\}/g;
/** Some hosts take a bare variable, but only as the whole of a value: elsewhere a dollar is a dollar. */
const bare = /^\$([A-Z][A-Z0-9_]*)$/;

export function openPlacesIn(text: string): OpenPlace[] {
  const alone = barePlace(text);
  return alone
    ? [alone]
    : Array.from(text.matchAll(written), ([found, inside, variable]) => placeOf(found, inside, variable));
}

function barePlace(text: string): OpenPlace | undefined {
  const name = bare.exec(text)?.[1];
  return name === undefined ? undefined : { text, name };
}

function placeOf(text: string, inside = "", variable?: string): OpenPlace {
  const [name = "", fallback] = (variable ?? inside.replace(/^(env|input):/, "")).split(/:-(.*)/s);
  return { text, name: name.trim(), ...(fallback !== undefined && { fallback }) };
}

/**
 * Fills what `valueFor` knows, by the place's name; what has a fallback takes it, the rest stays open.
 *
 * @example
 * fillOpenPlaces("Bearer ${TOKEN}", (name) => process.env[name]);
 */
export function fillOpenPlaces(text: string, valueFor: (name: string) => string | undefined): string {
  const fill = (place: OpenPlace) => valueFor(place.name) ?? place.fallback ?? place.text;
  const alone = barePlace(text);
  return alone
    ? fill(alone)
    : text.replaceAll(written, (found, inside, variable) => fill(placeOf(found, inside, variable)));
}
