import type { Page } from "playwright-core";
import { addStep, openJson, writeJson } from "./editor-actions.ts";

/** Chooses an item of a list that opens below a field. */
const choose = async (page: Page, field: string, option: string): Promise<void> => {
  await page.getByRole("combobox", { name: field }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
  await page.keyboard.press("Escape");
};

const agentAddress = /\/agents\/[^/?:]+$/;

/** Builds a flow by the fields of its steps, next to its JSON. Starts at the list of agents. */
export const buildFlow = async (
  page: Page,
  check: (name: string) => Promise<void>,
): Promise<void> => {
  await page.getByRole("button", { name: "Create agent" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Planner");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const editor = await openJson(page);
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
  await page.getByLabel("Max passages").fill("10");
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
  const value = page.getByRole("textbox", { name: "Value", exact: true });
  await value.getByText("{% steps.plan.output %}").waitFor();
  // The page stays if the agent cannot be read again.
  await page.route(agentAddress, (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
  await page.getByRole("button", { name: "Save revision" }).click();
  await page.getByText("Revision 1", { exact: true }).waitFor();

  // Steps are removed with the keyboard, too; a change of the JSON changes the fields.
  await page.getByRole("group", { name: "Output output" }).press("Enter");
  await page.keyboard.press("Delete");
  await page.getByRole("group", { name: "Output output" }).waitFor({ state: "detached" });
  await writeJson(page, '{"flow": {"steps": [{"id": "a", "type": "Transform"}]}}');
  await page.getByRole("group", { name: "Transform a" }).press("Enter");
  await page.getByLabel("Name", { exact: true }).fill("First");
  await editor.getByText('"name": "First"').waitFor();
  await keepDraft(page);
};

/** Undoes and redoes across fields and JSON, leaves, and finds the draft again. */
const keepDraft = async (page: Page): Promise<void> => {
  await page.keyboard.press("ControlOrMeta+z");
  await page.keyboard.press("ControlOrMeta+z");
  await page.getByRole("group", { name: "Prompt plan" }).waitFor();
  await page.getByRole("button", { name: "Redo" }).click();
  const step = page.getByRole("group", { name: "Transform a" });
  await step.waitFor();
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Agents" })
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave", exact: true }).click();
  await page.getByRole("link", { name: "Planner" }).click();
  await page.getByText("You have unsaved changes from").waitFor();
  await page.getByRole("button", { name: "Restore" }).click();
  await step.waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("group", { name: "Prompt plan" }).waitFor();
};
