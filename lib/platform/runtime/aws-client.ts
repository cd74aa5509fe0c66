/** The parts of an AWS client that `trimClient` changes. */
type TrimmedClient<Signer> = {
  config: { signer: (...scheme: never[]) => Promise<Signer> };
  middlewareStack: { remove: (name: string) => boolean };
};

/** Middlewares without use here: a log that nobody reads, a header for AWS's statistics, a length that Node sets. */
const unused = ["loggerMiddleware", "getUserAgentMiddleware", "contentLengthMiddleware"];

/**
 * Removes what costs processor time in every call of an AWS client: the SDK creates a signer per call, by copying the
 * client's whole configuration, and runs middlewares without use here. Returns the client.
 */
export const trimClient = <Signer, Client extends TrimmedClient<Signer>>(
  client: Client,
): Client => {
  for (const name of unused) client.middlewareStack.remove(name);
  const { config } = client;
  const createSigner = config.signer;
  let signer: Promise<Signer> | undefined;
  config.signer = (...scheme) => {
    signer ??= createSigner(...scheme);
    return signer;
  };
  return client;
};
