/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles: Lambda sets credentials in the environment, so the other
 * providers (about 100 KB) are left out. Reads them once, because the SDK asks several times per request.
 */
export const defaultProvider = () => {
  let known: Promise<Credentials> | undefined;
  return (): Promise<Credentials> => {
    known ??= Promise.resolve(readCredentials());
    return known;
  };
};

type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

const readCredentials = (): Credentials => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new Error("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set");
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
};
