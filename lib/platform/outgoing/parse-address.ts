/** Maximum length of a URL from a caller, a document, a message or an upstream. */
export const maxAddressLength = 2_048;

/** Parses a URL from outside; undefined where it is invalid or longer than `maxAddressLength`. */
export const parseAddress = (text: string, base?: string | URL): URL | undefined =>
  text.length <= maxAddressLength ? (URL.parse(text, base?.toString()) ?? undefined) : undefined;
