/**
 * Charges the processor time for a number of characters to the request before they are processed, at most 32 Ki at
 * a time. Throws when the request has no time left.
 */
export type Charge = (characters: number) => void;
