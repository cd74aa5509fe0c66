/**
 * Lowers the case of an address for comparison: of ASCII letters only, because other letters, such as the Kelvin sign, have
 * an ASCII letter as their lower case, and would make two addresses equal.
 */
export const lowerAddress = (address: string): string =>
  address.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Returns whether a user's id is an e-mail address, or looks like one. */
export const isAddress = (userId: string): boolean => userId.includes("@");
