/** Event types of a vendor; where the list may not be complete, others are accepted. */
export type EventTypes = { readonly names: readonly string[]; readonly isComplete: boolean };

/** Splits a list of names. */
export const splitNames = (text: string): readonly string[] => text.trim().split(/\s+/);
