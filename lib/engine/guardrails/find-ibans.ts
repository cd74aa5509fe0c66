import { isAlphanumeric, isDigit, isLetter } from "./characters.ts";
import type { FoundText } from "./found-text.ts";

/** Lengths of the IBAN by country, of the registry of SWIFT. */
const lengths: Readonly<Record<string, number>> = {
  ...{ AD: 24, AE: 23, AL: 28, AT: 20, AZ: 28, BA: 20, BE: 16, BG: 22, BH: 22, BR: 29, BY: 28 },
  ...{ CH: 21, CR: 22, CY: 28, CZ: 24, DE: 22, DK: 18, DO: 28, EE: 20, EG: 29, ES: 24, FI: 18 },
  ...{ FO: 18, FR: 27, GB: 22, GE: 22, GI: 23, GL: 18, GR: 27, GT: 28, HR: 21, HU: 28, IE: 22 },
  ...{ IL: 23, IQ: 23, IS: 26, IT: 27, JO: 30, KW: 30, KZ: 20, LB: 28, LC: 32, LI: 21, LT: 20 },
  ...{ LU: 20, LV: 21, LY: 25, MC: 27, MD: 24, ME: 22, MK: 19, MR: 27, MT: 31, MU: 30, NL: 18 },
  ...{ NO: 15, PK: 24, PL: 28, PS: 29, PT: 25, QA: 29, RO: 24, RS: 22, SA: 24, SC: 31, SE: 24 },
  ...{ SI: 19, SK: 24, SM: 27, ST: 25, SV: 28, TL: 23, TN: 24, TR: 26, UA: 29, VA: 22, VG: 24 },
  XK: 20,
};

/** Finds IBANs: the length of their country, with single spaces or without, and the check digits by modulus 97. */
export const findIbans = (text: string): FoundText[] => {
  const found: FoundText[] = [];
  let free = 0;
  for (let at = 0; at + 4 <= text.length; at += 1) {
    if (!isStart(text, at) || at < free) continue;
    const length = lengths[text.slice(at, at + 2).toUpperCase()];
    const end = length === undefined ? undefined : readIban(text, at, length);
    if (end === undefined) continue;
    found.push({ kind: "Iban", start: at, end });
    free = end;
  }
  return found;
};

const isStart = (text: string, at: number): boolean =>
  isLetter(text[at]) &&
  isLetter(text[at + 1]) &&
  isDigit(text[at + 2]) &&
  isDigit(text[at + 3]) &&
  !isAlphanumeric(text[at - 1]);

/** Returns the end of the IBAN that begins here; undefined for none. */
const readIban = (text: string, start: number, length: number): number | undefined => {
  let iban = "";
  let at = start;
  while (iban.length < length) {
    const character = text[at];
    if (isAlphanumeric(character)) iban += character?.toUpperCase();
    else if (character !== " " || !isAlphanumeric(text[at + 1])) return undefined;
    at += 1;
  }
  return !isAlphanumeric(text[at]) && hasValidChecksum(iban) ? at : undefined;
};

const hasValidChecksum = (iban: string): boolean => {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
};
