import { join } from "node:path";
import type { Browser } from "playwright-core";
import type { DemoNames } from "./data/demo.ts";
import { signIn } from "./take-screens.ts";
import { waitUntilShown } from "./wait-until-shown.ts";

const directory = join(import.meta.dirname, "../../../docs/images");

/** Takes the pictures of the README and of docs/console.md. */
export const takeDocImages = async (
  browser: Browser,
  baseUrl: string,
  { tenant, succeeded }: DemoNames,
): Promise<void> => {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 760 },
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  page.setDefaultTimeout(30_000);
  await signIn(page, baseUrl);
  const images = {
    "console-home": { address: `t/${tenant}/`, top: 0 },
    "console-api-keys": { address: `t/${tenant}/api-keys`, top: 0 },
    "console-flow": { address: `t/${tenant}/agents/support/flow`, top: 0 },
    // Below input, output and scores: the steps.
    "console-execution": { address: `t/${tenant}/executions/support/${succeeded}`, top: 540 },
  };
  for (const [name, { address, top }] of Object.entries(images)) {
    await page.goto(`${baseUrl}/console/${address}`);
    await waitUntilShown(page);
    await page.evaluate(`scrollTo(0, ${top})`);
    await page.screenshot({ path: join(directory, `${name}.png`), animations: "disabled" });
  }
  await page.context().close();
};
