import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/**
 * Returns what axe finds on a page: the rule and the element. The console has no frames, so axe runs in the page itself,
 * which takes half the time.
 */
export const findViolations = async (page: Page): Promise<string[]> => {
  // Compiles axe once per page.
  const isLoaded = await page.evaluate("globalThis.axe !== undefined");
  const source = isLoaded ? { axeSource: "undefined" } : {};
  const axe = new AxeBuilder({ page, ...source }).setLegacyMode(true);
  const { violations } = await axe.options({ resultTypes: ["violations"] }).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html}`));
};
