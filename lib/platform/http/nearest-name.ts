import { distance } from "fastest-levenshtein";

const maxComparedLength = 128;

/** Returns the known name that `name` most probably misspells; undefined when none is near, or within `mostEdits`. */
export const nearestName = (
  name: string,
  known: Iterable<string>,
  mostEdits = Infinity,
): string | undefined => {
  if (name.length > maxComparedLength) return undefined;
  const written = plain(name);
  let nearest: { name: string; edits: number } | undefined;
  for (const candidate of known) {
    const edits = distance(written, plain(candidate));
    const most = Math.min(Math.ceil(Math.max(written.length, candidate.length) / 3), mostEdits);
    if (edits <= most && edits < Math.min(written.length, nearest?.edits ?? Infinity)) {
      nearest = { name: candidate, edits };
    }
  }
  return nearest?.name;
};

const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_ ]/g, "");

/** Completes a detail with the nearest known name: `is unknown; did you mean "concurrency"?`. */
export const didYouMean = (detail: string, name: string, known: Iterable<string>): string => {
  const nearest = nearestName(name, known);
  return nearest === undefined ? detail : `${detail}; did you mean ${JSON.stringify(nearest)}?`;
};

/** Completes a sentence about an unknown name with the nearest and all known names. */
export const withKnownNames = (detail: string, name: string, known: readonly string[]): string => {
  const nearest = nearestName(name, known);
  const end = nearest === undefined ? "." : `; did you mean ${JSON.stringify(nearest)}?`;
  return `${detail}${end} Known: ${known.join(", ")}.`;
};
