import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { calculateJwkThumbprint, decodeProtectedHeader, EmbeddedJWK, jwtVerify } from "jose";

/** Checks the proofs of calls with tokens that are bound to keys, as a service does (RFC 9449). */
export const proofChecker = (clock: () => number) => {
  const seen = new Set<unknown>();
  const received: Record<string, unknown>[] = [];
  /** The nonce that proofs must have; null for none. */
  const wants: { nonce: string | null } = { nonce: null };
  /** The challenge with which all proofs are refused; null for none. */
  const refuses: { challenge: string | null } = { challenge: null };

  const check = async (request: IncomingMessage, jkt: string): Promise<boolean> => {
    const [scheme, token = ""] = request.headers.authorization?.split(" ") ?? [];
    const proof = `${request.headers.dpop}`;
    const { payload } = await jwtVerify(proof, EmbeddedJWK, {
      typ: "dpop+jwt",
      algorithms: ["ES256"],
      currentDate: new Date(clock()),
      maxTokenAge: 60,
    });
    const { jwk } = decodeProtectedHeader(proof);
    received.push(payload);
    const isFresh = !seen.has(payload.jti);
    seen.add(payload.jti);
    return (
      scheme === "DPoP" &&
      isFresh &&
      jwk !== undefined &&
      (await calculateJwkThumbprint(jwk)) === jkt &&
      payload.htm === request.method &&
      payload.htu === `http://${request.headers.host}${request.url?.split("?")[0]}` &&
      payload.ath === createHash("sha256").update(token).digest("base64url")
    );
  };

  return {
    wants,
    refuses,
    /** Payloads of the proofs, in order. */
    received,
    /** Returns the headers of the refusal of a call with a token that is bound to a key; undefined for a right proof. */
    refuse: async (
      request: IncomingMessage,
      jkt: string,
    ): Promise<Record<string, string> | undefined> => {
      const isRight = await check(request, jkt).catch(() => false);
      if (!isRight) return { "www-authenticate": 'DPoP error="invalid_dpop_proof"' };
      if (refuses.challenge !== null) return { "www-authenticate": refuses.challenge };
      const { nonce } = wants;
      if (nonce === null || received.at(-1)?.nonce === nonce) return undefined;
      return { "www-authenticate": 'DPoP error="use_dpop_nonce"', "dpop-nonce": nonce };
    },
  };
};
