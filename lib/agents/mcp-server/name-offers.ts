import type { Offer } from "./offer.ts";

const longestName = 128;

/** Offers by names that the protocol takes (letters, digits, `_`, `-`, `.`), each of them once; first come first served. */
export function nameOffers(offers: readonly Offer[]): ReadonlyMap<string, Offer> {
  const named = new Map<string, Offer>();
  for (const offer of offers) named.set(freeName(offer.name, named), offer);
  return named;
}

function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  const plain = wanted.replaceAll(/[^A-Za-z0-9_.-]+/g, "_") || "tool";
  for (let count = 1; ; count += 1) {
    const ending = count === 1 ? "" : `_${count}`;
    const name = plain.slice(0, longestName - ending.length) + ending;
    if (!taken.has(name)) return name;
  }
}
