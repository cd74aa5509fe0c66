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
${error === undefined ? "" : `<p class="error" role="alert">${escapeHtml(error)}</p>`}
<label for="user">Email</label>
<input id="user" name="user" type="email" required autocomplete="username" value="${escapeHtml(user)}">
<label for="role">Role</label>
<select id="role" name="role">${options.join("")}</select>
<button type="submit">Sign in</button>
</form>`,
  });
};
