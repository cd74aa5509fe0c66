import type { Signing } from "./provider.ts";

/** What is wrong with any secret that was not copied exactly; undefined when nothing is. */
export const checkCopied = (secret: string): string | undefined =>
  secret.trim() === secret && secret !== "" && !/[\r\n]/.test(secret)
    ? undefined
    : "it has white space around it, or is empty";

/** A secret that the service makes: 32 random bytes in hex. */
export const hexSecret = {
  issuedBy: "wharf",
  generate: (randomBytes) => Buffer.from(randomBytes(32)).toString("hex"),
  checkSecret: checkCopied,
} as const satisfies Pick<Signing, "issuedBy" | "generate" | "checkSecret">;

/**
 * A secret that the provider makes and the user copies; until it is given, one of ours stands in for it, with
 * which others may sign as the provider does.
 */
export const copiedSecret = { ...hexSecret, issuedBy: "provider" } as const satisfies Pick<
  Signing,
  "issuedBy" | "generate" | "checkSecret"
>;

/** A secret that the provider alone can make. */
export const providerSecret = {
  issuedBy: "provider",
  checkSecret: checkCopied,
} as const satisfies Pick<Signing, "issuedBy" | "checkSecret">;
