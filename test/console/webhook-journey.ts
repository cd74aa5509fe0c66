import type { Page } from "playwright-core";

/** Creates a webhook, subscribes an agent, sends a delivery and replays it, by clicks. Starts at the list of webhooks. */
export const replayDelivery = async (
  page: Page,
  check: (name: string) => Promise<void>,
): Promise<void> => {
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.getByLabel("Provider", { exact: true }).selectOption("generic");
  await check("the form of a webhook");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("button", { name: "Add a new key" }).click();
  const url = await page.getByLabel("URL with key").inputValue();
  await page.getByRole("button", { name: "Done" }).click();

  await page.getByRole("link", { name: "Generic" }).click();
  await page.getByRole("button", { name: "Add subscription" }).click();
  await page.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: "Hello" }).click();
  await page.getByLabel("Input").fill('{"nam": "{% payload.name %}"}');
  await page.getByRole("button", { name: "Create", exact: true }).click();
  // Problems of the API are shown at their fields.
  await page.getByText('did you mean "name"?').waitFor();
  await page.getByLabel("Input").fill('{"name": "{% payload.name %}"}');
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("row", { name: "Agent hello" }).waitFor();

  await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Event-Type": "greeting" },
    body: JSON.stringify({ name: "Ada" }),
  });
  // The delivery appears without a reload.
  await page.getByRole("row", { name: "1 succeeded" }).waitFor();
  await check("a webhook");
  await page.getByRole("row", { name: "greeting" }).getByRole("link").click();
  await page.getByText('"name": "Ada"').waitFor();
  await page.getByRole("button", { name: "Replay" }).click();
  await page.getByRole("row", { name: "(again) Succeeded" }).waitFor();
  await check("a delivery");
  await page.getByRole("link", { name: "Open execution" }).first().click();
  await page.getByText("Hello, Ada!").first().waitFor();
};
