import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Whether the router has loaded the page of the address. Runs in the browser. */
const isLoaded = `(() => {
  const { status, resolvedLocation } = globalThis.__TSR_ROUTER__.state;
  return status === "idle" && location.pathname.endsWith(resolvedLocation?.pathname);
})()`;

/** Waits until a page and its data are shown. */
const waitUntilShown = async (page: Page, heading: string): Promise<void> => {
  await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
  await expect.poll(() => page.getByRole("status", { name: "Loading" }).count()).toBe(0);
};

/** Goes to another page of the console that is open, as a link does, and waits until the router has loaded it. */
export const followPath = async (page: Page, path: string): Promise<void> => {
  await page.evaluate(`history.pushState({}, "", ${JSON.stringify(`/console/${path}`)})`);
  await expect.poll(() => page.evaluate(isLoaded), { interval: 50 }).toBe(true);
};

/** Shows another page of the console that is open: the console is not loaded again. */
export const showPage = async (page: Page, path: string, heading: string): Promise<void> => {
  await followPath(page, path);
  await waitUntilShown(page, heading);
};

/** Loads the console at a page, which may lead to another one. */
export const loadPage = async (page: Page, path: string, heading: string): Promise<void> => {
  await page.goto(new URL(`/console/${path}`, page.url()).href);
  await waitUntilShown(page, heading);
};
