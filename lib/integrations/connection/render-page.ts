import { type Html, html } from "../../platform/http/html.ts";
import { renderHtmlPage } from "../../platform/http/html-page.ts";
import { type ConnectionLink, needsConsent } from "./connection-link.ts";
import type { LinkDescription } from "./describe-link.ts";
import type { ConsentEnd } from "./finish-consent.ts";

const title = "Connection";

const render = (heading: string, body: readonly Html[]): string =>
  renderHtmlPage({ title, heading, body });

/**
 * Renders the page of a link. It says who gets access before its button sends the person away; previews of the link begin
 * nothing.
 */
export const renderLinkPage = (
  { item, tenant, expiresAt }: ConnectionLink,
  {
    name,
    identityProvider,
    now,
    errors = [],
  }: LinkDescription & { now: number; errors?: readonly string[] },
): string => {
  const alerts = errors.map((error) => html`<p role="alert">${error}</p>`);
  if (!needsConsent(item)) return render(name, [html`<p role="status">It is connected.</p>`]);
  if (item.status === "Revoked" || expiresAt <= now) {
    return render(name, [html`<p role="status">The link has expired. Ask for another one.</p>`]);
  }
  const owner = {
    Tenant: "all who run them",
    EndUser: `the end user ${item.ownerId}`,
    User: `the user ${item.ownerId}`,
  }[item.ownerType];
  const place =
    identityProvider === undefined
      ? `on the pages of ${name}`
      : `at the identity provider of your company, ${identityProvider}`;
  return render(`Connect ${name}`, [
    html`<p>The agents of the organization ${tenant.organizationId} will be able to use your account at ${name}, for ${owner}.</p>`,
    html`<p>Continue only if that is what you want, and you trust who sent you this link. You sign in ${place}.</p>`,
    ...alerts,
    html`<form method="post"><button type="submit">Continue</button></form>`,
  ]);
};

/** Renders the page at the end of a consent; returns it with its status. */
export const renderEndPage = (end: ConsentEnd): { page: string; status: number } => {
  const failed = (status: number, heading: string, text: string) => ({
    status,
    page: render(heading, [html`<p role="alert">${text}</p>`]),
  });
  switch (end.outcome) {
    case "connected":
      return {
        status: 200,
        page: render("Connected", [html`<p role="status">You can close this page.</p>`]),
      };
    case "denied":
      return failed(
        403,
        "Not connected",
        "You did not give consent. Open the link again to do so.",
      );
    case "over":
      return failed(
        410,
        "Not connected",
        "This consent was used, began more than 10 minutes ago, or another one was given since. Open the link again.",
      );
    case "other-browser":
      return failed(
        403,
        "Not connected",
        "This consent began in another browser. Open the link in the browser in which you give consent.",
      );
    case "busy":
      return failed(
        429,
        "Not connected yet",
        "Others connect at this moment. Reload this page in a few seconds.",
      );
    case "deleted":
      return failed(410, "Not connected", "The connection was deleted in the meantime.");
    case "failed":
      return failed(
        502,
        "Not connected",
        `The authorization server did not issue tokens (${end.code}). Open the link again.`,
      );
  }
};
