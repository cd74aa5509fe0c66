import type { AccessToken } from "../../engine/tools/access-token.ts";
import { lacksScopes } from "../../engine/tools/token-refusal.ts";
import { type Tool, ToolError } from "../../engine/tools/tool.ts";
import { mask } from "../../platform/http/mask.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import type { Json } from "../../values/json/json.ts";
import type { AccessTokens } from "../connection/access-tokens.ts";

/**
 * Runs work with an access token. One refusal of the token by the service (401, unless its errors are only of something else) is followed by
 * one refresh and one more attempt, unless the service may have acted on the first. Throws ConsentRequired where the service wants scopes
 * that no consent was asked for.
 */
export const withAccessToken = async <Result>(
  tokens: AccessTokens,
  signal: AbortSignal,
  work: (accessToken: AccessToken) => Promise<Result>,
): Promise<Result> => {
  const attempt = (token: AccessToken, isRepeated = false): Promise<Result> =>
    work(token).catch(async (error: unknown) => {
      if (!(error instanceof UpstreamError) || error.missingScopes.length === 0) throw error;
      if (error.hasActed) throw error;
      const other = await tokens.askFor(error.missingScopes, token);
      if (other === undefined || isRepeated) throw lacksScopes(error, error);
      return attempt(other, true);
    });
  const first = await tokens.get(signal);
  try {
    return await attempt(first);
  } catch (error) {
    if (!(error instanceof UpstreamError) || !refusesToken(error)) throw error;
    const renewing = tokens.renew(first, signal);
    if (!error.hasActed) return attempt(await renewing);
    // For later calls.
    await renewing.catch(() => undefined);
    throw error;
  }
};

/** Errors of calls that another token does not help. Services have many names for a token that has expired. */
const otherErrors: ReadonlySet<string> = new Set([
  "use_dpop_nonce",
  "invalid_dpop_proof",
  "insufficient_scope",
  "insufficient_user_authentication",
  "invalid_request",
]);

const refusesToken = ({ upstreamStatus, tokenErrors }: UpstreamError): boolean =>
  upstreamStatus === 401 &&
  (tokenErrors.length === 0 || tokenErrors.some((error) => !otherErrors.has(error)));

/** Returns the tool with the access token of a connection in each of its calls. Neither results nor errors contain the token. */
export const authorizeTool = (tool: Tool, tokens: AccessTokens): Tool => ({
  descriptor: tool.descriptor,
  run: (parameters, context) =>
    withAccessToken(tokens, context.signal, async (accessToken) =>
      hideToken(
        await tool.run(parameters, { ...context, accessToken }).catch((error: unknown) => {
          throw hideTokenOfError(error, accessToken.value);
        }),
        accessToken.value,
      ),
    ),
});

/** Returns an error without the token, which a service may repeat in its reason. */
const hideTokenOfError = (error: unknown, token: string): unknown =>
  error instanceof ToolError && error.message.includes(token)
    ? new ToolError(error.message.replaceAll(token, mask))
    : error;

const hideToken = (value: Json, token: string): Json => {
  const text = JSON.stringify(value);
  const escaped = JSON.stringify(token).slice(1, -1);
  return text.includes(escaped) ? JSON.parse(text.replaceAll(escaped, mask)) : value;
};
