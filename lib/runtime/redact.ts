/** An API key of any prefix, or a signed token: nothing that is written down may hold one. */
const secretShapes =
  /[A-Za-z0-9-]+_live_[0-9A-Za-z]{16,}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*|whsec_[A-Za-z0-9+/=]+/g;

const secretNames = /^(authorization|x-api-key|api_?key|password|secret|token|cookie)$/i;

/** A JSON replacer that leaves out what is, or looks like, a secret, however deep it stands. */
export const redact = (name: string, value: unknown): unknown => {
  if (typeof value !== "string") return value;
  return secretNames.test(name) ? "[redacted]" : value.replaceAll(secretShapes, "[redacted]");
};
