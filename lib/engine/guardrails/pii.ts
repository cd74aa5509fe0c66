import { findEmails } from "./find-emails.ts";
import { findIbans } from "./find-ibans.ts";
import { findKeys } from "./find-keys.ts";
import { findCards, findPhones } from "./find-numbers.ts";
import type { FoundText } from "./found-text.ts";
import type { PiiKind } from "./schemas.ts";

const finders: Readonly<Record<PiiKind, (text: string) => FoundText[]>> = {
  Key: findKeys,
  Email: findEmails,
  Iban: findIbans,
  Card: findCards,
  Phone: findPhones,
};

/** Finds personal data and keys of these kinds by their form, in linear time. Of overlapping ones, one is returned. */
export const findPii = (text: string, kinds: readonly PiiKind[]): FoundText[] => {
  const found: FoundText[] = [];
  for (const [kind, find] of Object.entries(finders)) {
    if (!kinds.some((wanted) => wanted === kind)) continue;
    const free = withoutOverlaps(find(text), found);
    found.push(...free);
    found.sort((one, other) => one.start - other.start);
  }
  return found;
};

/** Returns those that overlap none of the known ones. Both lists are sorted. */
const withoutOverlaps = (
  candidates: readonly FoundText[],
  known: readonly FoundText[],
): FoundText[] => {
  let at = 0;
  return candidates.filter(({ start, end }) => {
    while (at < known.length && (known[at]?.end ?? 0) <= start) at += 1;
    return (known[at]?.start ?? Number.POSITIVE_INFINITY) >= end;
  });
};
