import type { Locator, Page } from "playwright-core";

/** Opens the JSON of the flow editor, and returns it. */
export const openJson = async (page: Page): Promise<Locator> => {
  const editor = page.getByRole("textbox", { name: "Revision as JSON" });
  const toggle = page.getByRole("button", { name: "JSON", exact: true, pressed: false });
  await page.getByRole("button", { name: "JSON", exact: true }).waitFor();
  if ((await toggle.count()) > 0) await toggle.click();
  await editor.waitFor();
  return editor;
};

/** Replaces the JSON of the flow editor. */
export const writeJson = async (page: Page, text: string): Promise<void> => {
  await (await openJson(page)).click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText(text);
};

/** Adds a step with the keyboard alone. */
export const addStep = async (page: Page, type: string): Promise<void> => {
  await page.getByRole("button", { name: "Add step" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Search steps").pressSequentially(type.toLowerCase());
  await page.getByRole("option", { name: type, exact: true }).waitFor();
  await page.keyboard.press("Enter");
  await page
    .getByRole("group", { name: new RegExp(`^${type} `) })
    .last()
    .waitFor();
};

/** Opens "Try it" of a revision without sessions. Until it is loaded the editor is shown, which also has a button "Run". */
export const openTryIt = async (page: Page): Promise<void> => {
  await page.getByRole("tab", { name: "Try it" }).click();
  await page.locator("form").getByRole("button", { name: "Run", exact: true }).waitFor();
};
