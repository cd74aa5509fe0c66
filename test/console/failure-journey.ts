import type { Page } from "playwright-core";
import { expect } from "vitest";
import { openJson, openTryIt } from "./editor-actions.ts";

/** A flow of which two steps fail, and a model that cannot be reached. */
export const failingFlow = {
  steps: [
    {
      id: "ask",
      type: "Prompt",
      llm: { providerId: "down", parameters: { model: "down-1" } },
      prompt: "{% input.question %}",
    },
    { id: "guess", type: "Transform", value: '{% $error("No guess") %}' },
    { id: "check", type: "Transform", value: '{% $error("No stock") %}' },
    { id: "done", type: "Output", value: "Done" },
    { id: "rescue", type: "Output", value: "Sorry" },
  ],
  edges: [
    { source: "ask", target: "guess" },
    { source: "guess", target: "check" },
    { source: "check", target: "done" },
  ],
};

const rescued =
  '{% steps.ask.output & ", " & steps.guess.output & ", " & steps.check.error.detail %}';

/** Chooses an item of a list that opens below a field. */
const choose = async (page: Page, field: string, option: string | RegExp): Promise<void> => {
  await page.getByRole("combobox", { name: field }).click();
  await page.getByRole("option", { name: option }).click();
  await page.keyboard.press("Escape");
};

/** Gives the model a fallback from the list of its provider. Starts with the step selected. */
const addFallback = async (page: Page): Promise<void> => {
  await page.getByLabel("Prompt cache").selectOption("off");
  await page.getByRole("button", { name: "Add fallback" }).click();
  await page.getByRole("button", { name: "Save revision" }).click();
  // The refusal of the API is shown at its field.
  const refused = page.locator("[aria-invalid=true]");
  await refused.and(page.getByRole("combobox", { name: "Provider of fallback 1" })).waitFor();
  await choose(page, "Provider of fallback 1", "Echo");
  await choose(page, "Model of fallback 1", "echo-1");
  await choose(page, "Failures that lead to a fallback", /^unavailable/);
};

/** Handles failures by fields: of a model, by a value and by other steps. Then the run succeeds. Starts at the tab "Flow". */
export const handleFailures = async (
  page: Page,
  check: (name: string) => Promise<void>,
): Promise<void> => {
  const editor = await openJson(page);
  await page.getByRole("group", { name: "Prompt ask" }).press("Enter");
  await addFallback(page);
  for (const text of ['"cache": "off"', '"fallbackOn": [', '"model": "echo-1"']) {
    await editor.getByText(text).waitFor();
  }

  await page.getByRole("group", { name: "Transform guess" }).press("Enter");
  await page.getByLabel("Continue with a value").check();
  await page.getByRole("textbox", { name: "Output on error" }).fill("a guess");
  await page.getByRole("group", { name: "Transform check" }).press("Enter");
  await choose(page, "Next steps on error", /^rescue/);
  await editor.getByText('"on": "error"').waitFor();
  // An edge of failures has a label, and another line than other edges.
  await page.getByText("on error", { exact: true }).first().waitFor();
  const line = (source: string, target: string) =>
    page
      .getByRole("group", { name: `Edge from ${source} to ${target}` })
      .locator(".react-flow__edge-path")
      .getAttribute("style")
      .then((style) => style ?? "");
  expect(await line("check", "rescue")).toContain("stroke-dasharray");
  expect(await line("check", "done")).not.toContain("stroke-dasharray");
  await check("an edge of failures");
  await page.getByRole("group", { name: "Output rescue" }).press("Enter");
  await page.getByLabel("Value", { exact: true }).fill(rescued);
  await page.getByRole("button", { name: "Save revision" }).click();
  await page.getByText("Revision 2", { exact: true }).waitFor();

  await openTryIt(page);
  await page.getByLabel("question").fill("Tea");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page
    .getByText(/Tea, a guess, .*No stock/)
    .first()
    .waitFor();
  await page.getByRole("link", { name: "Open execution" }).click();
  await page.getByLabel("Spans").getByRole("button", { name: /^ask/ }).click();
  await page.getByRole("region", { name: "Span ask" }).getByText("echo-1").first().waitFor();
};
