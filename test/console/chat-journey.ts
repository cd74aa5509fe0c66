import type { Page } from "playwright-core";

/** Creates a connector, writes to it, and approves the access request, by clicks. Starts at the list of connectors. */
export const approveChatUser = async (
  page: Page,
  check: (name: string) => Promise<void>,
): Promise<void> => {
  await page.getByRole("button", { name: "Create connector" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: "Hello" }).click();
  await dialog.getByLabel("Provider").selectOption("generic");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Our chat");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  // Problems of the API are shown at their fields.
  await dialog.getByText("is required").waitFor();
  await dialog.getByLabel("Reply URL").fill("https://replies.invalid/");
  await dialog.getByLabel("Policy").selectOption("RequireApproval");
  await check("the form of a connector");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("button", { name: "Create key" }).click();
  const url = await page.getByLabel("URL with key").inputValue();
  await page.getByRole("button", { name: "Done" }).click();

  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Access requests" })
    .click();
  await page.getByText("No pending requests").waitFor();
  await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      id: "1",
      user: { id: "U1", name: "Ada" },
      conversation: { id: "C1", name: "Support" },
      text: "Hello",
    }),
  });
  await page.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: "Hello" }).click();
  // The request appears without a reload.
  await page.getByRole("row", { name: "Ada" }).waitFor();
  await check("a pending access request");
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByLabel("Note").fill("Works in support.");
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("No pending requests").waitFor();
  await page.getByLabel("Status").selectOption("Approved");
  await page.getByRole("row", { name: "Works in support." }).waitFor();
  await check("a decided access request");

  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Connectors" })
    .click();
  await page.getByRole("link", { name: "Our chat" }).click();
  await page.getByRole("row", { name: "Ada U1 Active" }).waitFor();
  await check("a connector");

  await page.getByRole("link", { name: "· hello" }).click();
  await page.getByRole("tab", { name: "Connectors" }).click();
  await page.getByRole("row", { name: "Our chat Generic RequireApproval" }).waitFor();
  await page.getByRole("link", { name: "Waiting for access: 0" }).waitFor();
  await check("the connectors of an agent");
};
