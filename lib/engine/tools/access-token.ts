import { readChallengeParameter } from "../../platform/outgoing/read-challenge.ts";

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

/** A response, with its headers by names in lower case. */
type Answer<Response> = {
  readonly response: Response;
  readonly status: number;
  readonly header: (name: string) => string | undefined;
};

/**
 * Sends a request, with a proof if its token is bound to a key. It is sent once more if the service refuses the proof because it
 * wants a nonce in it; the service did nothing then. `send` gets the headers to add.
 */
export const sendProven = async <Response>(
  prover: Prover | undefined,
  request: ProvenRequest,
  send: (proof: Readonly<Record<string, string>>) => Promise<Answer<Response>>,
): Promise<Response> => {
  if (!prover) return (await send({})).response;
  const attempt = async () => {
    const answer = await send({ dpop: prover.prove(request) });
    const nonce = answer.header("dpop-nonce");
    if (nonce !== undefined) prover.keepNonce(request.url, nonce);
    const challenge = answer.header("www-authenticate") ?? "";
    const wantsNonce =
      answer.status === 401 && readChallengeParameter(challenge, "error") === "use_dpop_nonce";
    return { response: answer.response, isOver: !wantsNonce || nonce === undefined };
  };
  const first = await attempt();
  return first.isOver ? first.response : (await attempt()).response;
};
