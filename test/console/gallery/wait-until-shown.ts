import type { Page } from "playwright-core";

/** Waits until a page has loaded and shows what it read. */
export const waitUntilShown = async (page: Page): Promise<void> => {
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(
    `!document.querySelector("[role=status][aria-label=Loading], button[data-loading]")`,
  );
};
