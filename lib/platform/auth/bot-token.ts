import { createRemoteJWKSet, customFetch, jwtVerify } from "jose";
import * as z from "zod";
import type { InboundRequest } from "../http/inbound.ts";
import { serviceUnavailable, unauthenticated } from "../http/problems.ts";
import { createGuardedFetch } from "../outgoing/guarded-fetch.ts";
import type { OutgoingOptions } from "../outgoing/resolve-host.ts";
import { botFrameworkOpenIdUrl, outgoingSettings } from "../runtime/env.ts";
import { type Clock, systemRuntime } from "../runtime/runtime.ts";
import { getSingleHeader } from "../signatures/inbound-header.ts";
import { isTokenFault } from "./is-token-fault.ts";

const Metadata = z.object({ issuer: z.string().min(1), jwks_uri: z.url() });
/** `endorsements` lists the channels that a key may sign activities of. */
const KeySet = z.looseObject({
  keys: z.array(
    z.looseObject({ kid: z.string().optional(), endorsements: z.array(z.string()).default([]) }),
  ),
});
const maxBytes = 1024 * 1024;
const toleranceSeconds = 5 * 60;
/** As Microsoft recommends; an unknown key is fetched earlier. */
const keysMaxAgeMs = 24 * 3_600_000;
/** Minimum time between two fetches caused by unknown keys. */
const cooldownMs = 30_000;
/** Minimum time after a failed fetch. */
const failureCooldownMs = 5_000;

/** Claims of a verified token. */
export type TokenClaims = Readonly<Record<string, unknown>>;

/** The bot and the channel, such as `msteams`, that a token must be for. `now` in Unix milliseconds. */
export type ExpectedBotToken = { audience: string; channel: string; now: number };

/** Verifies the Bot Framework token of a request and returns its claims. Throws 401 and 503. */
export type BotTokenVerifier = (
  request: InboundRequest,
  expected: ExpectedBotToken,
) => Promise<TokenClaims>;

type Settings = { openIdUrl: string; outgoing: OutgoingOptions; clock: Clock };

/** Creates the 401 for a message without a valid Bot Framework token. */
export const noBotToken = () =>
  unauthenticated(
    "The Bot Framework token of the message is missing, expired or issued for another audience or channel.",
  );

/**
 * Creates a verifier of Bot Framework tokens
 * (https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication). Issuer and
 * keys are fetched when first needed and kept a day; an unknown key fetches them again at most every 30 s, a failed
 * fetch every 5 s.
 */
export const createBotTokenVerifier = (settings: Settings): BotTokenVerifier => {
  const { keys, issued } = createIssuer(settings);
  return async (request, { audience, channel, now }) => {
    const [, token] =
      /^Bearer ([^\s]+)$/i.exec(getSingleHeader(request, "authorization") ?? "") ?? [];
    if (token === undefined) throw noBotToken();
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        audience,
        algorithms: ["RS256"],
        clockTolerance: toleranceSeconds,
        requiredClaims: ["exp", "iss"],
        currentDate: new Date(now),
      });
      if (issued({ issuer: payload.iss, keyId: protectedHeader.kid, channel })) return payload;
    } catch (error) {
      if (!isTokenFault(error))
        throw serviceUnavailable("The issuer of Bot Framework tokens", error);
    }
    throw noBotToken();
  };
};

/** Reads the issuer, its keys and their endorsements from the OpenID metadata. */
const createIssuer = ({ openIdUrl, outgoing, clock }: Settings) => {
  const fetch = createGuardedFetch({ ...outgoing, maxBytes });
  let known: { issuer: string; endorsements: Map<string | undefined, string[]> } | undefined;
  let failure: { error: unknown; until: number } | undefined;
  const keys = createRemoteJWKSet(new URL(openIdUrl), {
    cacheMaxAge: keysMaxAgeMs,
    cooldownDuration: cooldownMs,
    [customFetch]: async (url, init) => {
      if (failure && clock() < failure.until) throw failure.error;
      try {
        const metadata = Metadata.parse(await readJson(await fetch(url, init)));
        const keySet = KeySet.parse(await readJson(await fetch(metadata.jwks_uri, init)));
        failure = undefined;
        const endorsements = new Map(keySet.keys.map((key) => [key.kid, key.endorsements]));
        known = { issuer: metadata.issuer, endorsements };
        return Response.json(keySet);
      } catch (error) {
        failure = { error, until: clock() + failureCooldownMs };
        throw error;
      }
    },
  });
  /** Like Microsoft's SDK, lets a key without endorsements sign for any channel. */
  const issued = ({ issuer, keyId, channel }: Issued): boolean => {
    const endorsed = known?.endorsements.get(keyId);
    const isEndorsed = endorsed?.length === 0 || endorsed?.includes(channel) === true;
    return issuer === known?.issuer && isEndorsed;
  };
  return { keys, issued };
};

type Issued = { issuer: string | undefined; keyId: string | undefined; channel: string };

const readJson = async (response: Response): Promise<unknown> => {
  if (response.status === 200) return response.json();
  await response.body?.cancel();
  throw new Error(`The metadata or keys of the Bot Framework: status ${response.status}.`);
};

let shared: BotTokenVerifier | undefined;

/** Returns the verifier of this function; created once, so that its keys are fetched once. */
export const botTokenVerifier = (): BotTokenVerifier => {
  shared ??= createBotTokenVerifier({
    openIdUrl: botFrameworkOpenIdUrl(),
    outgoing: outgoingSettings(),
    clock: systemRuntime.clock,
  });
  return shared;
};
