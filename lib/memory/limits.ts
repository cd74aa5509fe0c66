/** Facts of a namespace; the oldest ones are removed. */
export const maxFactsOfNamespace = 1_000;

/** Facts that are taken from a turn, and characters of a fact. */
export const maxFactsOfTurn = 10;
export const maxFactLength = 500;

/** Days for which a fact is kept. */
export const factDays = 365;
