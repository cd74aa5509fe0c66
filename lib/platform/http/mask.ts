/** Replaces a secret in responses. Sent back, it keeps the stored secret. */
export const mask = "********";
