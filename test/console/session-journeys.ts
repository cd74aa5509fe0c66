import type { BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import type { LocalStackClient } from "../harness/local-stack.ts";
import { addStep } from "./editor-actions.ts";

/** Tokens of the page's session, as the console keeps them while the tab is open. */
type KeptTokens = { access_token: string; id_token: string; refresh_token: string };

const keptTokens = (page: Page): Promise<KeptTokens> =>
  page.evaluate(() => {
    const entry = Object.entries(sessionStorage).find(([name]) => name.startsWith("oidc.user:"));
    return JSON.parse(entry?.[1] ?? "{}");
  });

/** Lets the page's access token expire: from now on, the API gets an expired one of the same user in its place. */
export const expireToken = async (page: Page, stack: LocalStackClient): Promise<void> => {
  const { access_token: current } = await keptTokens(page);
  const { sub } = JSON.parse(
    Buffer.from(current.split(".")[1] ?? "", "base64url").toString("utf8"),
  );
  const expired = await stack.token({ org: "local", role: "admin", user: sub, ttl: -60 });
  await page.route("**/v1/**", async (route) => {
    const headers = await route.request().allHeaders();
    const isCurrent = headers.authorization === `Bearer ${current}`;
    await route.continue(
      isCurrent ? { headers: { ...headers, authorization: `Bearer ${expired}` } } : {},
    );
  });
};

/** Ends the page's session at the issuer, as a sign-out in another place does: no refresh token is valid. */
const endSessionElsewhere = async (page: Page, { baseUrl }: LocalStackClient): Promise<void> => {
  const { id_token: hint } = await keptTokens(page);
  await fetch(`${baseUrl}/oauth2/logout?id_token_hint=${hint}`);
};

/** The token is renewed while a dialog is open. Starts at the list of API keys. */
export const renewToken = async (page: Page, stack: LocalStackClient): Promise<void> => {
  await page.getByRole("button", { name: "Create API key" }).click();
  await page.getByLabel("Name").fill("Typed before the end");
  await page.getByLabel("Preset").selectOption("Runner");
  await expireToken(page, stack);
  const refused = page.waitForResponse((response) => response.status() === 401);
  const renewed = page.waitForResponse("**/oauth2/token");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await refused;
  expect((await renewed).status()).toBe(200);
  expect(await page.getByLabel("API key").inputValue()).toContain("_live_");
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("row", { name: "Typed before the end" }).waitFor();
};

/** The session ends while a flow is edited; after signing in again the same revision is saved. */
export const signInAgain = async (page: Page, stack: LocalStackClient): Promise<void> => {
  await page.getByLabel("Comment").fill("Written before the end");
  await addStep(page, "Transform");
  const address = page.url();
  await endSessionElsewhere(page, stack);
  await expireToken(page, stack);
  await page.getByRole("button", { name: "Save revision" }).click();
  await page.getByText("Your session has ended").waitFor();
  expect(page.url()).toBe(address);
  const leaves = Promise.withResolvers<void>();
  await respondWhileLeaving(page, leaves.promise);
  const opened = page.waitForEvent("popup");
  await page.getByRole("button", { name: "Sign in again" }).click();
  const popup = await opened;
  const closed = popup.waitForEvent("close");
  await popup.getByRole("button", { name: "Sign in" }).click();
  await closed;
  await page.getByText("Your session has ended").waitFor({ state: "detached" });
  await page.getByRole("tab", { name: "Revisions" }).click();
  leaves.resolve();
  await page.getByRole("row", { name: "Written before the end" }).waitFor();
  expect(page.url()).toContain("/revisions");
};

/**
 * Delays saving a revision until the user leaves for the list of revisions, which loads after the
 * response.
 */
const respondWhileLeaving = async (page: Page, leaves: Promise<void>): Promise<void> => {
  const revisions = "**/v1/tenants/demo/agents/hello/revisions";
  const isReadAgain = page.waitForResponse(`${revisions}/1`);
  await page.route(revisions, async (route) => {
    if (route.request().method() === "POST") await leaves;
    await route.fallback();
  });
  await page.route("**/revisions-page-*.js", async (route) => {
    await isReadAgain;
    await route.continue();
  });
};

/** Signs out: nothing of the session is left, here and at the issuer, and the next sign-in asks. */
export const signOut = async (page: Page, { baseUrl }: LocalStackClient): Promise<void> => {
  const tokens = await keptTokens(page);
  expect(await tokensOutside(page, tokens)).toEqual([]);
  await page.getByRole("button", { name: /^User / }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  expect(await tokensOutside(page, tokens)).toEqual([]);
  expect(await keptTokens(page)).toEqual({});
  const refresh = {
    grant_type: "refresh_token",
    client_id: "wharf-console",
    refresh_token: tokens.refresh_token,
  };
  const response = await fetch(`${baseUrl}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams(refresh),
  });
  expect(response.status).toBe(400);
};

/** Returns the addresses of the page's history, and the entries of `localStorage`, that contain a token or a code. */
const tokensOutside = async (page: Page, tokens: KeptTokens): Promise<string[]> => {
  const secrets = [tokens.access_token, tokens.id_token, tokens.refresh_token, "code="];
  const addresses = await readHistory(page.context(), page);
  const stored = await page.evaluate(() => Object.entries(localStorage).map(String));
  return [...addresses, ...stored].filter((text) =>
    secrets.some((secret) => secret === "" || text.includes(secret)),
  );
};

const readHistory = async (context: BrowserContext, page: Page): Promise<string[]> => {
  const devtools = await context.newCDPSession(page);
  const { entries } = await devtools.send("Page.getNavigationHistory");
  await devtools.detach();
  return entries.map(({ url }) => url);
};

/** Signs out at an issuer that is Cognito, by its own parameters. Starts before the sign-in. */
export const signOutOfCognito = async (
  page: Page,
  { baseUrl }: LocalStackClient,
  signIn: (page: Page) => Promise<void>,
): Promise<void> => {
  const logout = `${baseUrl}/problems/not-found`;
  await page.route("**/console/config.json", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: { ...(await response.json()), cognitoLogout: logout } });
  });
  await page.goto(`${baseUrl}/console/t/demo/skills`);
  await signIn(page);
  await page.getByRole("button", { name: /^User / }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL((url) => url.href.startsWith(logout));
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    client_id: "wharf-console",
    logout_uri: `${baseUrl}/console/`,
  });
  await page.goto(`${baseUrl}/console/`);
  await page.getByRole("button", { name: "Sign in" }).waitFor();
};
