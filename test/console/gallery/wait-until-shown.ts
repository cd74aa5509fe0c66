import type { Page } from "playwright-core";

/** Waits until a page has loaded and shows what it read. */
export const waitUntilShown = async (page: Page): Promise<void> => {
  await page.waitForLoadState("networkidle");
  // Not page.waitForFunction, which the Content-Security-Policy refuses when it has to look twice.
  const loading = page.locator("[role=status][aria-label=Loading], button[data-loading]").first();
  await loading.waitFor({ state: "detached" });
};
