import type { Page } from "playwright-core";
import { expect } from "vitest";

type Check = (name: string) => Promise<void>;

/** From the home page to a running agent: a template, a run with its sample, and a key for programs. Returns the key. */
export const startFromTemplate = async (page: Page, check: Check): Promise<string> => {
  await page.getByRole("region", { name: "Cost this month" }).waitFor();
  await page.getByRole("link", { name: "Support triage" }).click();
  await page.getByRole("dialog").getByLabel("Sample input").getByText("charged twice").waitFor();
  await check("a template");
  await page.getByLabel("Name").fill("First triage");
  await page.getByLabel("ID", { exact: true }).fill("first-triage");
  await page.getByRole("switch", { name: "Deploy the agent" }).check();
  await page.getByRole("button", { name: "Create agent" }).click();

  await page.getByRole("heading", { name: "First triage", level: 1 }).waitFor();
  await expect
    .poll(() => page.getByLabel("Message").inputValue())
    .toContain("charged twice for my last invoice");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText('"queue": "billing"').first().waitFor();

  // The conversation of a step has an address.
  await page.getByRole("link", { name: "Open execution" }).click();
  await page
    .getByLabel("Spans")
    .getByRole("button", { name: /^Triage/ })
    .click();
  await page.waitForURL(/\?span=triage$/);
  await page.reload();
  await page
    .getByRole("region", { name: "Conversation" })
    .getByText("Agent", { exact: true })
    .waitFor();
  await check("the conversation of a step");

  await page.goBack();
  await page.getByRole("button", { name: "Use this agent" }).click();
  await page.getByLabel("Call with cURL").getByText("first-triage:execute").waitFor();
  await page.getByRole("button", { name: "Create API key" }).click();
  const value = await page.getByRole("textbox", { name: "API key" }).inputValue();
  await page.getByRole("tab", { name: "MCP" }).click();
  await page.getByRole("button", { name: "Create MCP server" }).click();
  await page.getByLabel("Settings of the client").getByText("mcpServers").waitFor();
  await check("the calls of an agent");
  await page.keyboard.press("Escape");
  return value.replace("export WHARF_API_KEY=", "");
};
