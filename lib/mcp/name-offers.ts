import { createUniqueNames } from "../platform/runtime/unique-names.ts";
import type { Offer } from "./offer.ts";

const maxNameLength = 128;

/** Gives offers unique names that the protocol allows (letters, digits, `_`, `-`, `.`), in order. */
export const nameOffers = (offers: readonly Offer[]): ReadonlyMap<string, Offer> => {
  const unique = createUniqueNames(maxNameLength);
  return new Map(
    offers.map((offer) => [
      unique(offer.name.replaceAll(/[^A-Za-z0-9_.-]+/g, "_") || "tool"),
      offer,
    ]),
  );
};
