import type { Page } from "playwright-core";
import { expect } from "vitest";
import { openTryIt } from "./editor-actions.ts";

/**
 * Creates a webhook, subscribes an agent, sends a delivery and replays it, by clicks. Starts at the list of webhooks. Returns
 * the ID of the webhook.
 */
export const replayDelivery = async (
  page: Page,
  check: (name: string) => Promise<void>,
): Promise<string> => {
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.getByLabel("Provider", { exact: true }).selectOption("generic");
  await check("the form of a webhook");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("button", { name: "Create key" }).click();
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

  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByText("Sent hello.").waitFor();
  await page.getByRole("row", { name: "1 succeeded" }).waitFor();

  const webhookId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Event-Type": "greeting" },
    body: JSON.stringify({ name: "Ada" }),
  });
  // The delivery appears without a reload.
  const greeting = page.getByRole("row", { name: "greeting" });
  await greeting.getByText("1 succeeded").waitFor();
  await check("a webhook");
  await greeting.getByRole("link").click();
  await page.getByText('"name": "Ada"').waitFor();
  await page.getByRole("button", { name: "Replay" }).click();
  await page.getByRole("row", { name: "(replay) Succeeded" }).waitFor();
  await check("a delivery");
  await page.getByRole("link", { name: "Open execution" }).first().click();
  await page.getByText("Hello, Ada!").first().waitFor();
  return webhookId;
};

/** Sends an event of another type than the first one. Starts at the page of a webhook of GitHub. */
export const sendChosenEvent = async (page: Page): Promise<void> => {
  await page.getByLabel("Event of the test").selectOption("issues");
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByText("Sent issues.").waitFor();
  await page.getByRole("row", { name: "issues" }).waitFor();
};

/** A flow that waits; "Try it" runs it without a deployment. */
export const shipFlow = {
  steps: [
    { id: "paid", type: "Wait", seconds: 60 },
    { id: "ship", type: "Output", value: "For {% steps.paid.output.payload.name %}" },
  ],
  edges: [{ source: "paid", target: "ship" }],
};

/** Makes a step wait for an event by its fields, and finds the delivery that came before. Starts at the tab "Flow". */
export const waitForEvent = async (page: Page, webhookId: string): Promise<void> => {
  await page.getByRole("group", { name: "Wait paid" }).press("Enter");
  await page.getByLabel("Kind of wait").selectOption("event");
  await page.getByRole("combobox", { name: "Webhook" }).click();
  await page.getByRole("option", { name: `Generic: ${webhookId.slice(-6)}` }).click();
  const match = page.getByLabel("Match");
  await match.fill("payload.name =");
  await page.getByLabel("Lookback").fill("10");
  await page.getByLabel("Unit of the interval").selectOption("hours");
  await page.getByRole("button", { name: "Save revision" }).click();
  // The refusal of the API is shown at its field, and not at the others.
  await page.locator("[aria-invalid=true]").and(match).waitFor();
  expect(await page.locator("[aria-invalid=true]").count()).toBe(1);
  await match.fill('payload.name = "Ada"');
  await page.getByRole("button", { name: "Save revision" }).click();
  await page.getByText("Revision 2", { exact: true }).waitFor();
  await openTryIt(page);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("For Ada").first().waitFor();
};
