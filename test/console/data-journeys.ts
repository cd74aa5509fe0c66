import type { Page } from "playwright-core";
import { expect } from "vitest";

type Check = (name: string) => Promise<void>;

const confirm = (page: Page, name: string): Promise<void> =>
  page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

const buildFile = (name: string, content: string) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(content),
});

const table = "question,expected,split\nHow long?,30 days,test\nHow much?,120 EUR,train\n";

/** Creates a dataset, imports a file after another one was refused, edits an example in place and deletes one. */
export const importDataset = async (page: Page, check: Check): Promise<void> => {
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Datasets" })
    .click();
  await page.getByRole("button", { name: "Create dataset" }).click();
  await page.getByLabel("Name").fill("Questions");
  await confirm(page, "Create");

  await page.getByRole("heading", { name: "Questions", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Import file" }).click();
  const file = page.getByLabel("File", { exact: true });
  await file.setInputFiles([
    buildFile("broken.jsonl", '{"input": {"question": "Who?"}}\n{"inptu": 1}\n'),
  ]);
  await page.getByRole("alert").getByText("Line 2").waitFor();
  await check("a refused file");
  await file.setInputFiles([buildFile("questions.csv", table)]);
  await page.getByText("CSV: 2 examples").waitFor();
  await confirm(page, "Import");
  await page.getByRole("row", { name: "30 days" }).waitFor();

  await page.getByRole("button", { name: "120 EUR" }).click();
  await page.getByLabel("Expected").fill("{broken");
  await page.getByText("This is not valid JSON.").waitFor();
  await check("an example that is edited");
  await page.getByLabel("Expected").fill("140 EUR");
  await page.getByLabel("Expected").press("ControlOrMeta+Enter");
  await page.getByRole("button", { name: "140 EUR" }).waitFor();

  await page.getByLabel("Version").selectOption("1");
  await page.getByText("120 EUR").waitFor();
  // The address has the version.
  await page.reload();
  await page.getByText("120 EUR").waitFor();
  await page.getByRole("link", { name: "Show newest version" }).click();
  await page.getByRole("button", { name: "140 EUR" }).waitFor();
  await page
    .locator("input")
    .and(page.getByLabel("Split", { exact: true }))
    .fill("test");
  await page.getByRole("button", { name: "140 EUR" }).waitFor({ state: "detached" });
  await page.getByRole("row", { name: "30 days" }).getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await confirm(page, "Delete");
  await page.getByText("No example of this version has this split.").waitFor();
};

/** From the list of executions: scores one with a thumb, by hand and by a feedback link, and makes an example of it. */
export const scoreExecution = async (page: Page, check: Check): Promise<void> => {
  await page.getByRole("table", { name: "Executions" }).getByRole("link").first().click();
  const up = page.getByRole("button", { name: "Thumbs up" });
  await up.click();
  await page.getByRole("row", { name: "thumbs yes" }).waitFor();
  await page.getByRole("button", { name: "Thumbs down" }).click();
  await page.getByRole("row", { name: "thumbs no" }).waitFor();
  await page.getByRole("button", { name: "Add score" }).click();
  await page.getByLabel("Name").fill("correct");
  await confirm(page, "Add");
  await page.getByText("Check the fields that are marked.").waitFor();
  await page.getByLabel("Value").fill("0.8");
  await confirm(page, "Add");
  await page.getByRole("row", { name: "correct 0.8" }).waitFor();
  await check("scores of an execution");

  await page.getByRole("button", { name: "Feedback link" }).click();
  await confirm(page, "Create");
  await page.getByText("Check the fields that are marked.").waitFor();
  await page.getByLabel("Names").fill("helpful");
  await page.getByLabel("Expires").selectOption("1 hour");
  await confirm(page, "Create");
  const link = await page.getByRole("textbox", { name: "Feedback link" }).inputValue();
  await check("a feedback link");
  await confirm(page, "Done");
  const body = JSON.stringify({ value: true });
  const headers = { "Content-Type": "application/json" };
  const [given, again] = [
    await fetch(link, { method: "POST", headers, body }),
    await fetch(link, { method: "POST", headers, body }),
  ];
  expect([given.status, again.status]).toEqual([204, 409]);
  await page.reload();
  await page.getByRole("row", { name: "helpful yes" }).getByText("Feedback link").waitFor();
  expect(await page.content()).not.toContain(link);

  await page.getByRole("button", { name: "Add to dataset" }).click();
  await page.getByRole("combobox", { name: "Dataset" }).click();
  await page.getByRole("option", { name: "Questions" }).click();
  await confirm(page, "Add");
  await page.getByText("1 example, version").waitFor();
  await page.getByRole("link", { name: "Open dataset" }).click();
  await page.getByRole("heading", { name: "Questions", level: 1 }).waitFor();
};
