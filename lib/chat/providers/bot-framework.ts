import { createRemoteJWKSet, customFetch, jwtVerify } from "jose";
import * as z from "zod";
import { isTokenFault } from "../../platform/auth/is-token-fault.ts";
import type { InboundRequest } from "../../platform/http/inbound.ts";
import { serviceUnavailable, unauthenticated } from "../../platform/http/problems.ts";
import { createGuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { headerOf } from "../../platform/signatures/inbound-header.ts";
import type { TokenClaims } from "./provider.ts";

const Metadata = z.object({ issuer: z.string().min(1), jwks_uri: z.url() });
const maxBytes = 1024 * 1024;
const toleranceSeconds = 5 * 60;
/** As Microsoft recommends; an unknown key is fetched earlier. */
const keysMaxAgeMs = 24 * 3_600_000;
/** Minimum time between two fetches caused by unknown keys. */
const cooldownMs = 30_000;
/** Minimum time after a failed fetch. */
const failureCooldownMs = 5_000;

/** Verifies the Bot Framework's token of a request and returns its claims. Throws 401 and 503. `now` in Unix milliseconds. */
export type BotTokenVerifier = (
  request: InboundRequest,
  expected: { audience: string; now: number },
) => Promise<TokenClaims>;

type Settings = { openIdUrl: string; outgoing: OutgoingOptions; clock: Clock };

/** Creates the 401 for a message without a valid Bot Framework token. */
export const noBotToken = () =>
  unauthenticated(
    "The Bot Framework token of the message is missing, expired or issued for another audience.",
  );

/**
 * Creates a verifier of the Bot Framework's tokens
 * (https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication). Issuer and
 * keys are fetched when first needed and kept a day; an unknown key fetches them again at most every 30 s, a failed
 * fetch every 5 s.
 */
export const createBotTokenVerifier = (settings: Settings): BotTokenVerifier => {
  const { keys, issuer } = createIssuer(settings);
  return async (request, { audience, now }) => {
    const [, token] = /^Bearer ([^\s]+)$/i.exec(headerOf(request, "authorization") ?? "") ?? [];
    if (token === undefined) throw noBotToken();
    try {
      const { payload } = await jwtVerify(token, keys, {
        audience,
        algorithms: ["RS256"],
        clockTolerance: toleranceSeconds,
        requiredClaims: ["exp", "iss"],
        currentDate: new Date(now),
      });
      if (payload.iss === issuer()) return payload;
    } catch (error) {
      if (!isTokenFault(error))
        throw serviceUnavailable("The issuer of Bot Framework tokens", error);
    }
    throw noBotToken();
  };
};

/** Reads the issuer and its keys from the OpenID metadata. */
const createIssuer = ({ openIdUrl, outgoing, clock }: Settings) => {
  const fetch = createGuardedFetch({ ...outgoing, maxBytes });
  let issuer: string | undefined;
  let failure: { error: unknown; until: number } | undefined;
  const keys = createRemoteJWKSet(new URL(openIdUrl), {
    cacheMaxAge: keysMaxAgeMs,
    cooldownDuration: cooldownMs,
    [customFetch]: async (url, init) => {
      if (failure && clock() < failure.until) throw failure.error;
      try {
        const metadata = Metadata.parse(await readJson(await fetch(url, init)));
        const keySet = await readJson(await fetch(metadata.jwks_uri, init));
        failure = undefined;
        issuer = metadata.issuer;
        return Response.json(keySet);
      } catch (error) {
        failure = { error, until: clock() + failureCooldownMs };
        throw error;
      }
    },
  });
  return { keys, issuer: () => issuer };
};

const readJson = async (response: Response): Promise<unknown> => {
  if (response.status === 200) return response.json();
  await response.body?.cancel();
  throw new Error(`The metadata or keys of the Bot Framework: status ${response.status}.`);
};
