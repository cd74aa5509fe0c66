import type { Page, Response } from "playwright-core";
import { expect } from "vitest";
import { showPage } from "./show-page.ts";

/** A page by its path below `/console/`, with its heading. */
export type ConsolePage = { path: string; heading: string };

/** Names of buttons that change or run something. */
const changes =
  /^(Add|Approve|Cancel|Choose|Create|Delete|Deploy|Edit|Estimate|Invite|Reject|Remove|Replay|Run|Save|Send|Set|Subscribe|Sync|Test|Turn)\b/;

/** Opens each page: none asks the API what the user may not read, or shows a button that would be refused. */
export const openPagesAsViewer = async (
  page: Page,
  pages: readonly ConsolePage[],
  show = showPage,
): Promise<void> => {
  const refused: string[] = [];
  const note = (response: Response): void => {
    if (response.status() === 403) refused.push(`${page.url()} asks ${response.url()}`);
  };
  page.on("response", note);
  const shown: string[] = [];
  for (const { path, heading } of pages) {
    await show(page, path, heading);
    const names = await page
      .getByRole("main")
      .getByRole("button", { disabled: false })
      .allTextContents();
    shown.push(...names.filter((name) => changes.test(name)).map((name) => `${path}: ${name}`));
    const alerts = await page.getByRole("main").getByRole("alert").allTextContents();
    shown.push(...alerts.map((text) => `${path}: ${text}`));
  }
  page.off("response", note);
  expect(refused).toEqual([]);
  expect(shown).toEqual([]);
};
