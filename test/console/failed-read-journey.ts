import type { Page, Request, Route } from "playwright-core";
import { expect } from "vitest";
import { sampleCases } from "../harness/runs.ts";
import { followPath } from "./show-page.ts";

const statuses = [500, 403, 404] as const;

/** Paths of all pages of a tenant, as the router has them. Runs in the browser. */
const listPaths = `Object.keys(globalThis.__TSR_ROUTER__.routesByPath)
  .filter((path) => path.startsWith("/t/$tenant/"))`;

/** Pages that read nothing before a user does something. */
const withoutReads = ["/t/$tenant/docs/$page", "/t/$tenant/guardrails/new", "/t/$tenant/templates"];

/** Reads that do not fail: without them, other pages than that of the address are shown. */
const passing = [/\/apiKeys\/scopes$/, /\/v1\/tenants$/, /\/agents\/triage$/];

const isFailed = (request: Request): boolean => {
  const { pathname } = new URL(request.url());
  return request.method() === "GET" && !passing.some((pattern) => pattern.test(pathname));
};

const toAddress = (path: string): string =>
  path.slice(1).replace("$tenant", "demo").replace("$agent", "triage").replace(/\$\w+/g, "7");

/** Looks at the page that is open: returns why it does not survive that its reads fail. */
const findFault = async (page: Page, path: string, countReads: () => number): Promise<string> => {
  const main = page.getByRole("main");
  if (withoutReads.includes(path)) {
    await main.getByRole("heading").first().waitFor();
    return "";
  }
  const again = main.getByRole("button", { name: "Try again" }).first();
  const isShown = await again.waitFor({ timeout: 3_000 }).then(
    () => true,
    () => false,
  );
  if (!isShown) return `has no "Try again": ${await main.innerText()}`;
  const before = countReads();
  await again.click();
  await expect.poll(countReads, { message: path, interval: 50 }).toBeGreaterThan(before);
  return "";
};

/** Opens each page of the router while all its reads fail: it shows why, reads again on request, and leads to the others. */
export const openPagesWithoutReads = async (page: Page): Promise<void> => {
  let status: number = statuses[0];
  let reads = 0;
  await page.route("**/v1/**", async (route: Route) => {
    if (!isFailed(route.request())) return route.fallback();
    reads += 1;
    const json = { type: "about:blank", title: `Failed with ${status}`, status, detail: "No." };
    await route.fulfill({ status, contentType: "application/problem+json", json });
  });
  await page.reload();
  const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
  await links.first().waitFor();
  const count = await links.count();
  const paths: string[] = await page.evaluate(listPaths);
  expect(paths.length).toBeGreaterThan(30);
  const faults: string[] = [];
  for (const [at, path] of paths.entries()) {
    const rotated = [...statuses.slice(at % statuses.length), ...statuses];
    for (status of sampleCases(rotated.slice(0, statuses.length), 1)) {
      await followPath(page, toAddress(path));
      const fault = await findFault(page, path, () => reads);
      if (fault !== "") faults.push(`${status} ${path} ${fault}`);
      expect(await links.count(), path).toBe(count);
    }
  }
  expect(faults).toEqual([]);
  await page.unroute("**/v1/**");
  await recoverScopes(page, count);
};

/** The scopes of the user cannot be read: the navigation stays, and the page works after another read. */
const recoverScopes = async (page: Page, links: number): Promise<void> => {
  const catalog = /\/apiKeys\/scopes$/;
  await page.route(catalog, (route) => route.fulfill({ status: 500, json: {} }));
  await followPath(page, "t/demo/skills");
  await page.reload();
  const again = page.getByRole("main").getByRole("button", { name: "Try again" });
  await again.waitFor();
  expect(await page.getByRole("navigation", { name: "Pages" }).getByRole("link").count()).toBe(
    links,
  );
  await page.unroute(catalog);
  await again.click();
  await page.getByRole("button", { name: "Create skill" }).waitFor();
  expect(await again.count()).toBe(0);
};
