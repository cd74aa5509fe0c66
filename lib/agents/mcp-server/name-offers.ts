import { createUniqueNames } from "../../platform/runtime/unique-names.ts";
import type { Offer } from "./offer.ts";

const longestName = 128;

/** Offers by names that the protocol takes (letters, digits, `_`, `-`, `.`), each of them once; first come first served. */
export function nameOffers(offers: readonly Offer[]): ReadonlyMap<string, Offer> {
  const unique = createUniqueNames(longestName);
  return new Map(
    offers.map((offer) => [
      unique(offer.name.replaceAll(/[^A-Za-z0-9_.-]+/g, "_") || "tool"),
      offer,
    ]),
  );
}
