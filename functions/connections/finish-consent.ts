import { Reply } from "../../lib/edge/respond.ts";
import { finishConsent } from "../../lib/integrations/connection/finish-consent.ts";
import { readCookie } from "../../lib/integrations/connection/read-cookie.ts";
import { renderEndPage } from "../../lib/integrations/connection/render-page.ts";
import { pageHeaders } from "../../lib/platform/http/html-page.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { callbackEndpoint } from "../deps/callback-endpoint.ts";
import { connectionDeps } from "../deps/connection-deps.ts";
import * as rows from "./routes.ts";

export const handler = callbackEndpoint(rows.finishConsent, async ({ query, headers, ctx }) => {
  const end = await finishConsent(
    { ...connectionDeps(), send },
    {
      parameters: new URLSearchParams(query["{parameter}"] ?? {}),
      cookie: (name) => readCookie(headers, name),
      baseUrl: ctx.baseUrl,
    },
  );
  const { page, status } = renderEndPage(end);
  return new Reply(page, pageHeaders, status);
});
