import { createSlotTaker } from "../../lib/edge/limit-concurrency.ts";
import { Reply } from "../../lib/edge/respond.ts";
import { finishConsent } from "../../lib/integrations/connection/finish-consent.ts";
import { readCookie } from "../../lib/integrations/connection/read-cookie.ts";
import { renderEndPage } from "../../lib/integrations/connection/render-page.ts";
import { pageHeaders } from "../../lib/platform/http/html-page.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { callbackEndpoint } from "../deps/callback-endpoint.ts";
import { connectionDeps } from "../deps/connection-deps.ts";
import * as rows from "./routes.ts";

const takeSlot = createSlotTaker(rows.finishConsent);

export const handler = callbackEndpoint(rows.finishConsent, async ({ query, headers, ctx }) => {
  const deps = connectionDeps();
  const end = await finishConsent(
    { ...deps, send, takeSlot: (tenantId) => takeSlot(deps.db, tenantId) },
    {
      parameters: new URLSearchParams(query["{parameter}"] ?? {}),
      cookie: (name) => readCookie(headers, name),
      baseUrl: ctx.baseUrl,
    },
  );
  const { page, status } = renderEndPage(end);
  const retry: Record<string, string> = status === 429 ? { "Retry-After": "2" } : {};
  return new Reply(page, { ...pageHeaders, ...retry }, status);
});
