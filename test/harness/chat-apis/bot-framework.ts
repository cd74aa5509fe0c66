import { createServer } from "node:http";
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import { listen } from "../listen.ts";

/** The issuer of the Bot Framework's tokens. */
export const botIssuer = "https://api.botframework.com";

const keyId = "bot-key-1";

/** Plain data to sign as the running fake in another process (vitest's `provide`). */
export type BotFramework = { openIdUrl: string; privateKey: JWK };

/** Creates a key pair as the Bot Framework's, as a private JWK. */
export const newBotKey = async (): Promise<JWK> => {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return exportJWK(privateKey);
};

/** Starts a fake of the Bot Framework's OpenID metadata and keys on 127.0.0.1. */
export const startBotFramework = async () => {
  const privateKey = await newBotKey();
  const { kty, n, e } = privateKey;
  const requests: string[] = [];
  const state: { isDown: boolean; endorsements: string[] | undefined } = {
    isDown: false,
    endorsements: ["msteams"],
  };
  const server = createServer((request, response) => {
    const { url = "", headers } = request;
    const { endorsements } = state;
    requests.push(url);
    const bodies: Record<string, unknown> = {
      "/openid": { issuer: botIssuer, jwks_uri: `http://${headers.host}/keys` },
      "/keys": { keys: [{ kty, n, e, kid: keyId, use: "sig", endorsements }] },
    };
    const status = state.isDown ? 500 : url in bodies ? 200 : 404;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(bodies[url] ?? {}));
  });
  const { url, close } = await listen(server);
  return {
    address: { openIdUrl: `${url}/openid`, privateKey } satisfies BotFramework,
    /** Requested paths. */
    requests,
    state,
    close,
  };
};

/** Deviations from a valid token. `expiresInSeconds` may be negative. */
export type BotToken = {
  audience: string;
  serviceUrl: string;
  issuer?: string;
  expiresInSeconds?: number;
  keyId?: string;
  /** The claim's name. Default `serviceurl`. */
  claim?: "serviceurl" | "serviceUrl";
};

/** Mints a token as the Bot Framework sends it with an activity. */
export const mintBotToken = async (
  privateKey: JWK,
  {
    audience,
    serviceUrl,
    issuer = botIssuer,
    expiresInSeconds = 3_600,
    keyId: kid = keyId,
    claim = "serviceurl",
  }: BotToken,
): Promise<string> => {
  const now = Math.floor(Date.now() / 1_000);
  return new SignJWT({ [claim]: serviceUrl })
    .setProtectedHeader({ alg: "RS256", kid, typ: "JWT" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setNotBefore(now - 3_600)
    .setExpirationTime(now + expiresInSeconds)
    .sign(await importJWK(privateKey, "RS256"));
};
