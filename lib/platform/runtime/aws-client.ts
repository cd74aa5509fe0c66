import toFastProperties from "to-fast-properties";
import { type RequestSigner, requestSigner } from "./aws-signer.ts";

/** The parts of an AWS client that `trimClient` reads or changes. */
type TrimmedClient = {
  config: Pick<Parameters<typeof requestSigner>[0], "credentials" | "region"> & {
    defaultSigningName: string;
    signer: () => Promise<RequestSigner>;
  };
  middlewareStack: { remove: (name: string) => boolean };
};

/**
 * Middlewares without use here: an unused log, a header for AWS's statistics, a length that Node
 * sets.
 */
const unused = ["loggerMiddleware", "getUserAgentMiddleware", "contentLengthMiddleware"];

/**
 * Removes what costs processor time in every call of an AWS client: the SDK's signer, middlewares without use here, and
 * the slow form of the configuration, which the SDK copies three times per call. V8 stores an object as a hash table once
 * it has many members. Returns the client.
 */
export const trimClient = <Client extends TrimmedClient>(client: Client): Client => {
  for (const name of unused) client.middlewareStack.remove(name);
  const { config } = client;
  const { signer: sdkSigner, defaultSigningName: service } = config;
  const signer = requestSigner({
    credentials: () => config.credentials(),
    region: () => config.region(),
    service,
    sdkSigner,
  });
  config.signer = async () => signer;
  toFastProperties(config);
  return client;
};
