import { createSlotTaker } from "../../lib/edge/limit-concurrency.ts";
import { Reply } from "../../lib/edge/respond.ts";
import { beginConsent, formatCookie } from "../../lib/integrations/connection/begin-consent.ts";
import { verifyConnectionLink } from "../../lib/integrations/connection/connection-link.ts";
import { describeLink } from "../../lib/integrations/connection/describe-link.ts";
import { renderLinkPage } from "../../lib/integrations/connection/render-page.ts";
import { redirectingPageHeaders } from "../../lib/platform/http/html-page.ts";
import { problemRegistry } from "../../lib/platform/http/problem-registry.ts";
import { conflict, Problem, slotsTaken } from "../../lib/platform/http/problems.ts";
import { UpstreamError } from "../../lib/platform/outgoing/upstream-error.ts";
import { withSlot } from "../../lib/platform/slots/with-slot.ts";
import { connectionDeps } from "../deps/connection-deps.ts";
import { signedEndpoint } from "../deps/signed-endpoint.ts";
import * as rows from "./routes.ts";

const takeSlot = createSlotTaker(rows.beginConsent);

export const handler = signedEndpoint(
  rows.beginConsent,
  ({ tenant, signed: token }) => verifyConnectionLink(connectionDeps(), { tenant, token }),
  async ({ signed: link, ctx, headers: sent }) => {
    const deps = connectionDeps();
    const { baseUrl, startedAt: now } = ctx;
    try {
      requireOwnPage(sent.get("sec-fetch-site"));
      const begin = () => beginConsent(deps, { link, baseUrl });
      const begun = await withSlot(() => takeSlot(deps.db, link.tenant.id), begin);
      if (!begun) throw slotsTaken();
      const { url, cookie } = begun;
      const headers = { Location: url, "Set-Cookie": formatCookie(cookie, baseUrl) };
      return new Reply("", headers, 303);
    } catch (error) {
      const isShown = error instanceof UpstreamError || error instanceof Problem;
      if (!isShown) throw error;
      const content = { ...(await describeLink(deps, link)), now, errors: [error.message] };
      const [status, more] =
        error instanceof Problem ? [problemRegistry[error.slug].status, error.headers] : [502, {}];
      return new Reply(
        renderLinkPage(link, content),
        { ...redirectingPageHeaders, ...more },
        status,
      );
    }
  },
);

/** Refuses a form that a page of another site sends in a person's name. Only browsers send the header. */
const requireOwnPage = ([site]: readonly string[] = []): void => {
  if (site === undefined || site === "same-origin" || site === "none") return;
  throw conflict("Another site sent this request. Read this page, then press the button.");
};
