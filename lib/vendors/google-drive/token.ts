import * as z from "zod";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { fetchJson } from "../shared/source/fetch-json.ts";
import type { SourceContext } from "../source.ts";

/** The OAuth client of this deployment. */
export type GoogleClient = {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** Default `https://oauth2.googleapis.com/token`. */
  readonly tokenUrl?: string | undefined;
};

const googleTokenUrl = "https://oauth2.googleapis.com/token";
const TokenResponse = z.object({ access_token: z.string().min(1) });

/**
 * Exchanges a refresh token for an access token. Throws an UpstreamError for a missing setting of the deployment,
 * and one with status 401 for a rejected token.
 */
export const fetchAccessToken = async (
  context: SourceContext,
  client: GoogleClient,
  refreshToken: string,
): Promise<string> => {
  const url = resolveTokenUrl(client);
  const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken });
  if (client.clientId) body.set("client_id", client.clientId);
  if (client.clientSecret) body.set("client_secret", client.clientSecret);
  try {
    const response = await fetchJson(context, url, TokenResponse, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: body.toString(),
    });
    return response.access_token;
  } catch (error) {
    const isRefused = error instanceof UpstreamError && error.upstreamStatus === 400;
    if (!isRefused) throw error;
    throw new UpstreamError(
      `${url.host} rejected the refresh token: it is invalid, revoked, expired, or belongs to another OAuth client.`,
      { upstream: url.host, upstreamStatus: 401 },
      { cause: error },
    );
  }
};

/** Returns the token address. Only Google itself requires a client; a private token service may not. */
const resolveTokenUrl = ({ clientId, clientSecret, tokenUrl }: GoogleClient): URL => {
  const url = new URL(tokenUrl ?? googleTokenUrl);
  if (url.pathname === "/") url.pathname = "/token";
  const missing = [
    ...(clientId ? [] : ["GOOGLE_CLIENT_ID"]),
    ...(clientSecret ? [] : ["GOOGLE_CLIENT_SECRET"]),
  ];
  if (missing.length > 0 && url.href === googleTokenUrl) {
    const detail = `Google Drive is not configured: this deployment lacks the setting ${missing.join(" and ")}.`;
    throw new UpstreamError(detail, { upstream: url.host });
  }
  return url;
};
