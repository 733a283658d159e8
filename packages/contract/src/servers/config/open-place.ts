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
  const alone = bare.exec(text);
  if (alone) return [{ text, name: alone[1]! }];
  return [...text.matchAll(written)].map(([found, inside = "", variable]) => {
    const [name = "", fallback] = (variable ?? inside.replace(/^(env|input):/, "")).split(/:-(.*)/s);
    return { text: found, name: name.trim(), ...(fallback !== undefined && { fallback }) };
  });
}

/**
 * Fills what `valueFor` knows, by the place's name; what has a fallback takes it, the rest stays open.
 *
 * @example
 * fillOpenPlaces("Bearer ${TOKEN}", (name) => process.env[name]);
 */
export function fillOpenPlaces(text: string, valueFor: (name: string) => string | undefined): string {
  const fill = (place: OpenPlace) => valueFor(place.name) ?? place.fallback ?? place.text;
  const places = openPlacesIn(text);
  if (places.length === 1 && places[0]!.text === text) return fill(places[0]!);
  return text.replaceAll(written, (found) => fill(places.find((place) => place.text === found)!));
}
