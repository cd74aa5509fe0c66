import { readChallengeParameter } from "../../platform/outgoing/parse-challenges.ts";

/** A request of which a proof is made. */
export type ProvenRequest = { readonly method: string; readonly url: string };

/** Proves that a caller has the key that its access token is bound to (RFC 9449). */
export type Prover = {
  /** Returns the proof of one request. */
  prove(request: ProvenRequest): string;
  /** Keeps the nonce that a service wants in the next proofs. */
  keepNonce(url: string, nonce: string): void;
};

/** An access token of a connection. */
export type AccessToken = {
  readonly value: string;
  /** Of a token that is bound to a key; absent for a bearer token. */
  readonly prover?: Prover | undefined;
};

/** Returns the header `Authorization` of a call with an access token. */
export const formatAuthorization = ({ value, prover }: AccessToken): string =>
  `${prover ? "DPoP" : "Bearer"} ${value}`;

/**
 * Sends a request, with a proof if its token is bound to a key. It is sent once more if the service refuses the proof because it
 * wants a nonce in it; the service did nothing then. `send` gets the headers to add.
 */
export const sendProven = async (
  prover: Prover | undefined,
  request: ProvenRequest,
  send: (proof: Readonly<Record<string, string>>) => Promise<Response>,
): Promise<Response> => {
  if (!prover) return send({});
  const attempt = async () => {
    const response = await send({ dpop: prover.prove(request) });
    const { status, headers } = response;
    const nonce = headers.get("dpop-nonce");
    if (nonce !== null) prover.keepNonce(request.url, nonce);
    const errors = readChallengeParameter(headers.get("www-authenticate") ?? "", "error");
    const wantsNonce = status === 401 && nonce !== null && errors.includes("use_dpop_nonce");
    return { response, wantsNonce };
  };
  const first = await attempt();
  if (!first.wantsNonce) return first.response;
  await first.response.body?.cancel();
  return (await attempt()).response;
};
