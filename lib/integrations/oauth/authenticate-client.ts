import type * as oauth from "oauth4webapi";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import {
  type AssertionAlgorithm,
  type ClientKey,
  chooseAlgorithm,
  importClientKey,
  readClientKey,
} from "./client-key.ts";
import { noClient, type OAuthClient, type OAuthServer } from "./oauth-server.ts";

type Library = typeof oauth;

/** Returns the authentication of a client at an endpoint of a server. */
export const authenticateClient = (
  library: Library,
  { server, client }: { server: OAuthServer; client: OAuthClient },
  endpoint: string,
): oauth.ClientAuth => {
  const { id, secret, privateKey } = client;
  if (id === noClient.id) return () => {};
  if (privateKey !== null)
    return authenticateByKey(library, { ...client, privateKey }, server, endpoint);
  if (secret === null) return library.None();
  return isPost(client, server) ? library.ClientSecretPost(secret) : authenticateBasic(secret);
};

const isPost = (
  { authentication }: OAuthClient,
  { clientAuthentications: accepted }: OAuthServer,
): boolean =>
  authentication === "post" ||
  (authentication === null &&
    accepted !== null &&
    !accepted.includes("client_secret_basic") &&
    accepted.includes("client_secret_post"));

/**
 * Authenticates by the header (RFC 6749, 2.3.1). The library encodes `-`, `.` and `_`, too, which is right, but servers that do not
 * decode refuse it.
 */
const authenticateBasic =
  (secret: string): oauth.ClientAuth =>
  (_, { client_id: id }, __, headers) => {
    const credentials = [id, secret].map(encodeForm).join(":");
    headers.set("authorization", `Basic ${Buffer.from(credentials).toString("base64")}`);
  };

const encodeForm = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1);

/** Returns a private key with the algorithm in which it signs for a server. Throws an UpstreamError where the server takes none of the key's. */
export const chooseKey = (
  privateKey: string,
  { assertionAlgorithms, tokenEndpoint }: OAuthServer,
): { key: ClientKey; algorithm: AssertionAlgorithm } => {
  const key = readClientKey(privateKey);
  if (!key) throw new Error("a stored private key is not one");
  const algorithm = chooseAlgorithm(key, assertionAlgorithms);
  if (algorithm) return { key, algorithm };
  const upstream = new URL(tokenEndpoint).host;
  const own = key.algorithms.join(" or ");
  const message = `${upstream} takes no assertions that are signed with ${own}, the algorithm of the client's private key.`;
  throw new UpstreamError(message, { upstream });
};

/**
 * Authenticates by an assertion that is valid for a minute, for this server alone: its audience is the issuer's identifier, or the
 * address of the endpoint where the config says so.
 */
const authenticateByKey = (
  library: Library,
  { privateKey, audience }: OAuthClient & { privateKey: string },
  server: OAuthServer,
  endpoint: string,
): oauth.ClientAuth => {
  const { key, algorithm } = chooseKey(privateKey, server);
  return library.PrivateKeyJwt(importClientKey(key, algorithm), {
    [library.modifyAssertion]: (header, payload) => {
      Object.assign(header, key.header, { alg: algorithm, typ: "JWT" });
      if (audience === "endpoint") payload.aud = endpoint;
    },
  });
};
