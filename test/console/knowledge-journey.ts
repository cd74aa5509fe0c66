import type { Page } from "playwright-core";

type Check = (name: string) => Promise<void>;

const confirm = (page: Page, name: string): Promise<void> =>
  page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

/** More than one request can have: it is sent to the bucket. */
const large = Buffer.alloc(4 * 1_024 * 1_024 + 1);

const buildFile = (name: string, mimeType: string, content: string | Buffer) => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
});

/** Estimates a source, creates an asset, uploads files to it, searches it, subscribes it to a webhook and deletes it. */
export const manageAsset = async (page: Page, check: Check): Promise<void> => {
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Knowledge" })
    .click();
  await page.getByRole("button", { name: "Create asset" }).click();
  await page.getByLabel("Source").selectOption("jira");
  await page.getByRole("button", { name: "Estimate" }).click();
  await page.getByText("Check the fields that are marked.").waitFor();
  await check("a new asset");
  await page.getByLabel("Source").selectOption("upload");
  await page.getByLabel("Name").fill("Shop");
  await page.getByRole("button", { name: "Create", exact: true }).click();

  await page.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
  await page
    .getByLabel("Files", { exact: true })
    .setInputFiles([
      buildFile(
        "returns.md",
        "text/markdown",
        "# Returns\n\nA desk can be returned within 30 days.",
      ),
      buildFile("prices.csv", "text/csv", "Item,Price\nDesk,120 EUR\n"),
      buildFile("broken.pdf", "application/pdf", "%PDF-1.4"),
      buildFile("empty.txt", "text/plain", ""),
      buildFile("large.bin", "application/octet-stream", large),
    ]);
  await page.getByText("4 of 5 files uploaded").waitFor();
  await page.getByRole("alert").getByText("empty.txt was refused.").waitFor();
  // Each document is shown as it is indexed, without a reload.
  await page.getByRole("row", { name: "returns.md Indexed" }).waitFor();
  await page.getByRole("row", { name: "prices.csv Indexed" }).waitFor();
  await page.getByRole("row", { name: "broken.pdf Failed The file is not a valid PDF." }).waitFor();
  await page.getByRole("row", { name: "large.bin Failed The file is not text" }).waitFor();
  await check("documents");
  await page.getByRole("button", { name: "Actions for broken.pdf" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await confirm(page, "Remove");
  await page.getByRole("row", { name: "broken.pdf" }).waitFor({ state: "detached" });

  await page.getByRole("tab", { name: "Try a search" }).click();
  await page.getByLabel("Query").fill("How long can I return a desk?");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page
    .getByRole("listitem")
    .filter({ hasText: "returns.md" })
    .getByText("Score 1.00")
    .waitFor();
  await check("a search");

  await page.getByRole("tab", { name: "Subscriptions" }).click();
  await page.getByRole("button", { name: "Subscribe to a webhook" }).click();
  await page.getByLabel("Webhook", { exact: true }).selectOption("GitHub, acme/handbook");
  await confirm(page, "Subscribe");
  await page.getByRole("row", { name: "GitHub, acme/handbook all" }).waitFor();
  await check("subscriptions");

  await page.getByRole("button", { name: "Sync now" }).click();
  await page.getByText("Last sync: ").waitFor();
  await page.getByRole("button", { name: "Actions for Shop" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await confirm(page, "Delete");
  await page.getByRole("row", { name: "Shop" }).waitFor({ state: "detached" });
};
