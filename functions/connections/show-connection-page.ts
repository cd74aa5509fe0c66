import { Reply } from "../../lib/edge/respond.ts";
import { verifyConnectionLink } from "../../lib/integrations/connection/connection-link.ts";
import { describeLink } from "../../lib/integrations/connection/describe-link.ts";
import { renderLinkPage } from "../../lib/integrations/connection/render-page.ts";
import { redirectingPageHeaders } from "../../lib/platform/http/html-page.ts";
import { connectionDeps } from "../deps/connection-deps.ts";
import { signedEndpoint } from "../deps/signed-endpoint.ts";
import * as rows from "./routes.ts";

export const handler = signedEndpoint(
  rows.showConnectionPage,
  ({ tenant, signed: token }) => verifyConnectionLink(connectionDeps(), { tenant, token }),
  async ({ signed: link, ctx }) => {
    const content = { ...(await describeLink(connectionDeps(), link)), now: ctx.startedAt };
    return new Reply(renderLinkPage(link, content), redirectingPageHeaders);
  },
);
