import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Finds failures by their error and a text of their input over all agents, saves the view, runs one again, and leaves by the command palette. */
export const exploreExecutions = async (page: Page, error: string): Promise<void> => {
  await page.getByLabel("Error contains").fill(error.toUpperCase());
  await page.keyboard.press("Enter");
  const rows = page.getByRole("table", { name: "Executions" }).getByRole("row");
  await expect.poll(() => rows.count()).toBe(3);
  expect(new URL(page.url()).searchParams.get("error")).toBe(error.toUpperCase());
  await page.getByRole("button", { name: "More filters" }).click();
  await page.getByLabel("Input or output contains").fill("ORDER of breaks-b");
  await page.keyboard.press("Enter");
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByLabel("Input or output contains").fill("");
  await page.keyboard.press("Enter");
  await expect.poll(() => rows.count()).toBe(3);

  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save this view" }).click();
  await page.getByLabel("Name").fill("Broken today");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "All executions" }).click();
  await expect.poll(() => new URL(page.url()).search).toBe("");
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Broken today", exact: true }).click();
  await expect.poll(() => rows.count()).toBe(3);

  await rows.nth(1).getByRole("checkbox").check();
  await page.getByText("1 selected").waitFor();
  await page.getByRole("button", { name: "Run again" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Run again", exact: true }).click();
  await page.getByText("1 started.").waitFor();
  await expect.poll(() => rows.count()).toBe(4);

  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Go to" }).fill("memb");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
};
