import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** AWS credentials of a caller of the local AWS services. */
export type LocalCredentials = {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
};

/** Header of the session token in AWS requests. */
export const tokenHeader = "x-amz-security-token";

/** Creates the secret that session tokens derive from; each start of the stack has its own. */
export const createLocalSecret = (): string => randomBytes(32).toString("base64url");

/** Derives a caller's credentials, valid until the local stack stops. */
export const credentialsFor = (secret: string, caller: string): LocalCredentials => ({
  accessKeyId: caller,
  secretAccessKey: deriveCredential(secret, `signing ${caller}`),
  sessionToken: deriveCredential(secret, caller),
});

/** Creates a check of whether a session token is the caller's own. */
export const createTokenCheck = (
  secret: string,
): ((caller: string, token: string | undefined) => boolean) => {
  const tokens = new Map<string, Buffer>();
  return (caller, token) => {
    const expected = tokens.get(caller) ?? Buffer.from(deriveCredential(secret, caller));
    const given = Buffer.from(token ?? "");
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
    tokens.set(caller, expected);
    return true;
  };
};

const deriveCredential = (secret: string, use: string): string =>
  createHmac("sha256", secret).update(use).digest("base64url");
