import type { ServerResponse } from "node:http";
import { escapeHtml, sendPage } from "../page.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

/** Roles that a user can have, with what they are for. */
export const roles = {
  admin: "Admin",
  builder: "Builder",
  runner: "Runner",
  "read-only": "Read-only",
} as const;

/** Names who receives the access, where it is not this product. */
const describeClient = ({ client_id, redirect_uri, resource }: AuthorizationRequest): string => {
  const { origin } = new URL(redirect_uri);
  if (resource === undefined) return "";
  return `<p>${escapeHtml(client_id)} at ${escapeHtml(origin)} will call ${escapeHtml(resource)} as this user.</p>`;
};

type SignInPage = {
  request: AuthorizationRequest;
  user: string;
  role: string;
  /** Why the form was refused. */
  error?: string;
};

/** Sends the page on which one chooses a user and a role. */
export const sendSignInPage = (
  response: ServerResponse,
  { request, user, role, error }: SignInPage,
): void => {
  const hidden = Object.entries(request)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`);
  const options = Object.entries(roles).map(
    ([value, label]) =>
      `<option value="${value}"${value === role ? " selected" : ""}>${label}</option>`,
  );
  const { origin } = new URL(request.redirect_uri);
  sendPage(response, error === undefined ? 200 : 400, {
    title: "Sign in to Wharf",
    // The browser checks the redirect of a form against this, too.
    formTargets: ["'self'", origin],
    body: `<form method="post" action="/oauth2/authorize">
${hidden.join("\n")}
<p>This product runs on your machine: choose who you are.</p>
${describeClient(request)}
${error === undefined ? "" : `<p class="error" role="alert">${escapeHtml(error)}</p>`}
<label for="user">Email</label>
<input id="user" name="user" type="email" required autocomplete="username" value="${escapeHtml(user)}">
<label for="role">Role</label>
<select id="role" name="role">${options.join("")}</select>
<button type="submit">Sign in</button>
</form>`,
  });
};
