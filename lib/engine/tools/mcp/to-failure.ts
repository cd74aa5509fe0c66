import { OutgoingError } from "../../../platform/outgoing/outgoing-error.ts";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import { outgoingFailure } from "../outgoing-failure.ts";
import { lacksScopes, readTokenRefusal } from "../token-refusal.ts";
import { ToolError } from "../tool.ts";

type Sdk = Pick<
  typeof import("@modelcontextprotocol/client"),
  | "InsufficientScopeError"
  | "ProtocolError"
  | "SdkError"
  | "SdkErrorCode"
  | "SdkHttpError"
  | "UnauthorizedError"
>;

/** A session that failed. `challenge`: `WWW-Authenticate` of the last refusal. */
type FailedSession = { upstream: string; isLate: boolean; challenge: string | undefined };

/** Maps a failed session to a ToolError or UpstreamError, without texts of the server but the names of missing scopes. */
export const toFailure = (
  sdk: Sdk,
  error: unknown,
  { upstream, isLate, challenge }: FailedSession,
): Error => {
  for (const cause of listCauses(error)) {
    if (cause instanceof ToolError || cause instanceof UpstreamError) return cause;
    if (cause instanceof OutgoingError) return outgoingFailure(cause);
    if (cause instanceof sdk.InsufficientScopeError) {
      const { missingScopes } = readTokenRefusal(403, challenge);
      return lacksScopes({ upstream, missingScopes }, error);
    }
  }
  const timedOut = isLate || hasCode(sdk, error, sdk.SdkErrorCode.RequestTimeout);
  if (timedOut) {
    const message = `${upstream} did not respond in time.`;
    return new UpstreamError(message, { upstream, timedOut }, { cause: error });
  }
  if (hasCode(sdk, error, sdk.SdkErrorCode.ListPaginationExceeded)) {
    const message = `The list of tools of ${upstream} does not end.`;
    return new UpstreamError(message, { upstream }, { cause: error });
  }
  const status = findStatus(sdk, error);
  if (status !== undefined && status >= 400) {
    const message = `${upstream} responded with status ${status}.`;
    const refusal = readTokenRefusal(status, challenge);
    return new UpstreamError(
      message,
      { upstream, upstreamStatus: status, ...refusal },
      { cause: error },
    );
  }
  const message =
    error instanceof sdk.ProtocolError
      ? `${upstream} refused with the JSON-RPC error ${error.code}.`
      : `${upstream} did not respond as an MCP server does.`;
  return new UpstreamError(message, { upstream }, { cause: error });
};

const findStatus = (sdk: Sdk, error: unknown): number | undefined => {
  for (const cause of listCauses(error)) {
    if (cause instanceof sdk.SdkHttpError) return cause.status;
    if (cause instanceof sdk.UnauthorizedError) return 401;
  }
  return undefined;
};

const hasCode = (sdk: Sdk, error: unknown, code: string): boolean =>
  listCauses(error).some((cause) => cause instanceof sdk.SdkError && cause.code === code);

const maxCauses = 5;

const listCauses = (error: unknown): unknown[] => {
  const causes: unknown[] = [];
  for (let cause = error; causes.length < maxCauses; ) {
    causes.push(cause);
    if (!(cause instanceof Error) || cause.cause === undefined) break;
    cause = cause.cause;
  }
  return causes;
};
