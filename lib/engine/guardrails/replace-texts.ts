import type { Json } from "../../values/json/json.ts";
import type { Replacement } from "./ask-service.ts";
import { mapTexts } from "./map-texts.ts";

/** Replaces parts of a text by their masks, the longest ones first. */
export const replaceInText = (text: string, replacements: readonly Replacement[]): string =>
  replacements
    .toSorted(([one], [other]) => other.length - one.length)
    .reduce((shown, [match, mask]) => shown.replaceAll(match, () => mask), text);

/** Replaces parts of the texts of a value; undefined when one of them is in none of them: it would be left as it is. */
export const replaceInValue = (
  value: Json,
  replacements: readonly Replacement[],
): Json | undefined => {
  const missing = new Set(replacements.map(([match]) => match));
  mapTexts(value, (text) => {
    for (const match of missing) if (text.includes(match)) missing.delete(match);
    return text;
  });
  if (missing.size > 0) return undefined;
  return mapTexts(value, (text) => replaceInText(text, replacements));
};
