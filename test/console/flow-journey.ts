import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Chooses an item of a list that opens below a field. */
const choose = async (page: Page, field: string, option: string): Promise<void> => {
  await page.getByRole("combobox", { name: field }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
  await page.keyboard.press("Escape");
};

/** Adds a step with the keyboard alone. */
const addStep = async (page: Page, type: string): Promise<void> => {
  await page.getByRole("button", { name: "Add step" }).focus();
  await page.keyboard.press("Enter");
  const item = page.getByRole("menuitem", { name: type, exact: true });
  await item.waitFor();
  await item.press("Enter");
  await page.getByRole("group", { name: new RegExp(`^${type} `) }).waitFor();
};

const agentAddress = /\/agents\/[^/?:]+$/;

/** Builds a flow by the fields of its steps, next to its JSON. Starts at the list of agents. */
export const buildFlow = async (
  page: Page,
  check: (name: string) => Promise<void>,
): Promise<void> => {
  const editor = page.getByRole("textbox", { name: "Revision as JSON" });
  await page.getByRole("button", { name: "Create agent" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Planner");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("button", { name: "Add input" }).click();
  await page.getByLabel("Input 1", { exact: true }).fill("city");
  await choose(page, "Model provider", "Echo");
  await choose(page, "Assets", "Handbook");
  await editor.getByText('"displayName": "Handbook"').waitFor();

  await addStep(page, "Prompt");
  await page.getByLabel("Prompt", { exact: true }).fill("A day in {% input.town %}");
  await choose(page, "Tools", "Calculate");
  await choose(page, "Sub-agents", "Hello");
  await choose(page, "Assets", "Handbook");
  await addStep(page, "Retrieve");
  await page.getByLabel("Query").fill("{% steps.prompt.output %}");
  await choose(page, "Assets", "Handbook");
  await page.getByLabel("Passages, at most").fill("10");
  await page.getByRole("textbox", { name: "Filter" }).fill('{"documentName": "faq.md"}');
  // A new step follows the selected one, and the JSON matches the fields.
  await addStep(page, "Output");
  await page.getByLabel("Value", { exact: true }).fill("{% steps.prompt.output %}");
  await editor.getByText('"value": "{% steps.prompt.output %}"').waitFor();
  await check("the fields of a step");

  // Errors of the API are shown at the step, at the field and at the line.
  await page.getByRole("button", { name: "Save revision" }).click();
  await page.getByRole("group", { name: "Prompt prompt" }).getByText("1 problem").waitFor();
  const detail = "The expression reads input.town, which parametersMetadata does not declare";
  await page.getByRole("region", { name: "Selection" }).getByText(detail).waitFor();
  await page.locator(".cm-lintRange-error").getByText("A day in").waitFor();

  await page.getByLabel("Prompt", { exact: true }).fill("A day in {% input.city %}");
  await page.getByLabel("Step ID").fill("plan");
  await page.getByLabel("Step ID").press("Enter");
  await page.getByRole("group", { name: "Prompt plan" }).waitFor();
  await page.getByRole("group", { name: "Output output" }).press("Enter");
  expect(await page.getByLabel("Value", { exact: true }).inputValue()).toBe(
    "{% steps.plan.output %}",
  );
  // The page stays if the agent cannot be read again.
  await page.route(agentAddress, (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
  await page.getByRole("button", { name: "Save revision" }).click();
  await page.getByText("Revision 1", { exact: true }).waitFor();

  // Steps are removed with the keyboard, too; a change of the JSON changes the fields.
  await page.getByRole("group", { name: "Output output" }).press("Enter");
  await page.keyboard.press("Delete");
  await page.getByRole("group", { name: "Output output" }).waitFor({ state: "detached" });
  await editor.click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText('{"flow": {"steps": [{"id": "a", "type": "Transform"}]}}');
  await page.getByRole("group", { name: "Transform a" }).press("Enter");
  await page.getByLabel("Name", { exact: true }).fill("First");
  await editor.getByText('"name": "First"').waitFor();
};
