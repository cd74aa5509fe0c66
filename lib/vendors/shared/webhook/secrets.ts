import type { Signing } from "../../webhook-provider.ts";

/** Returns the problem of a secret that was not copied exactly, if any. */
export const checkCopied = (secret: string): string | undefined =>
  secret.trim() === secret && secret !== "" && !/[\r\n]/.test(secret)
    ? undefined
    : "must not be empty or have white space around it";

/** A secret that this service creates: 32 random bytes in hex. */
export const hexSecret = {
  issuedBy: "wharf",
  generate: (randomBytes) => Buffer.from(randomBytes(32)).toString("hex"),
  checkSecret: checkCopied,
} as const satisfies Pick<Signing, "issuedBy" | "generate" | "checkSecret">;

/**
 * A secret that the provider creates and the user copies; a placeholder of ours until it is set, with which other
 * senders may sign.
 */
export const copiedSecret = { ...hexSecret, issuedBy: "provider" } as const satisfies Pick<
  Signing,
  "issuedBy" | "generate" | "checkSecret"
>;

/** A secret that only the provider can create. */
export const providerSecret = {
  issuedBy: "provider",
  checkSecret: checkCopied,
} as const satisfies Pick<Signing, "issuedBy" | "checkSecret">;
