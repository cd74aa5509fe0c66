import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** What a caller of the local AWS services identifies itself with, as the AWS SDK takes it. */
export type LocalCredentials = {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
};

/** Header in which the AWS SDK sends the session token. */
export const tokenHeader = "x-amz-security-token";

/** Creates the secret of one start, from which the session tokens of all callers are made. */
export const newLocalSecret = (): string => randomBytes(32).toString("base64url");

/** Returns a caller's credentials, which are valid until the local stack stops. */
export const credentialsFor = (secret: string, caller: string): LocalCredentials => ({
  accessKeyId: caller,
  secretAccessKey: "local",
  sessionToken: tokenOf(secret, caller),
});

/** Checks session tokens: whether a token is a caller's own of this start. */
export const createTokenCheck = (
  secret: string,
): ((caller: string, token: string | undefined) => boolean) => {
  const tokens = new Map<string, Buffer>();
  return (caller, token) => {
    const expected = tokens.get(caller) ?? Buffer.from(tokenOf(secret, caller));
    const given = Buffer.from(token ?? "");
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
    tokens.set(caller, expected);
    return true;
  };
};

const tokenOf = (secret: string, caller: string): string =>
  createHmac("sha256", secret).update(caller).digest("base64url");
