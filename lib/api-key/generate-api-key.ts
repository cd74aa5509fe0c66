import { hashApiKey, makeApiKey } from "../auth/api-key-format.ts";
import type { Principal } from "../auth/principal.ts";
import { findPreset, scopesBeyond } from "../auth/scopes.ts";
import type { Database } from "../db/database.ts";
import type { CallContext } from "../http/answer-call.ts";
import { scopeEscalation, validationFailed } from "../http/problems.ts";
import { newUuid } from "../runtime/runtime.ts";
import type { GenerateApiKeyBody } from "./schemas.ts";
import { type ApiKeyItem, putNewApiKey } from "./store.ts";

type KeyContext = CallContext & { principal: Principal };

/**
 * Mints a key of the caller's organization and records the issue.
 * Throws 400 unless there is exactly one of `scopes` and `preset` and the expiry is to come; 403 for
 * scopes that the caller lacks. The key itself is returned here and stored nowhere.
 */
export const generateApiKey = async ({
  ctx,
  input,
  deps,
}: {
  ctx: KeyContext;
  input: GenerateApiKeyBody;
  deps: { db: Database; prefix: string };
}): Promise<{ item: ApiKeyItem; key: string }> => {
  const now = ctx.clock();
  const scopes = wantedScopes(input);
  const expiresAt = readExpiry(input.expiresAt ?? null, now);
  const beyond = scopesBeyond(scopes, ctx.principal.scopes);
  if (beyond.length > 0) throw scopeEscalation(beyond);

  const { type, id, email, organizationId } = ctx.principal;
  const key = makeApiKey(deps.prefix, ctx.randomBytes);
  const item = {
    id: newUuid(ctx),
    organizationId,
    name: input.name,
    scopes,
    prefix: deps.prefix,
    last4: key.slice(-4),
    sha256: hashApiKey(key),
    createdAt: now,
    createdBy: { type, id },
    modifiedAt: now,
    expiresAt,
    revokedAt: null,
  };
  await putNewApiKey(deps.db, item, {
    id: newUuid(ctx),
    apiKeyId: item.id,
    type: "Issued",
    actor: { type, id, email },
    previousScopes: null,
    newScopes: scopes,
    previousExpiresAt: null,
    newExpiresAt: expiresAt,
    requestContext: {
      requestId: ctx.requestId,
      sourceIp: ctx.sourceIp,
      userAgent: ctx.userAgent,
      method: ctx.method,
      path: ctx.path,
    },
    createdAt: now,
  });
  return { item, key };
};

const wantedScopes = ({ scopes, preset }: GenerateApiKeyBody): string[] => {
  if ((scopes === undefined) === (preset === undefined)) {
    throw validationFailed([{ pointer: "", detail: "send exactly one of scopes and preset" }]);
  }
  if (scopes) return [...new Set(scopes)];
  const expanded = findPreset(preset ?? "");
  if (!expanded) {
    throw validationFailed([
      { pointer: "/preset", detail: "must be Runner, Builder, Read-only or Admin" },
    ]);
  }
  return [...expanded];
};

const readExpiry = (expiresAt: string | null, now: number): number | null => {
  if (expiresAt === null) return null;
  const time = Date.parse(expiresAt);
  if (time > now) return time;
  throw validationFailed([{ pointer: "/expiresAt", detail: "must be in the future" }]);
};
