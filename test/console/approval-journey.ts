import type { Page } from "playwright-core";
import { openJson, openTryIt } from "./editor-actions.ts";

type Check = (name: string) => Promise<void>;

/** A flow with a model that calls a tool, and a step that asks people. */
export const payFlow = {
  steps: [
    {
      id: "sum",
      type: "Prompt",
      llm: { providerId: "echo", parameters: {} },
      prompt: '{"call": {"name": "calculate", "arguments": {"expression": "6 * 7"}}}',
      tools: ["calculate"],
    },
    { id: "decide", type: "Approval", title: "Pay?" },
    { id: "paid", type: "Output", value: "{% steps.decide.output.action %}" },
  ],
  edges: [
    { source: "sum", target: "decide" },
    { source: "decide", target: "paid" },
  ],
};

/** The title of the second approval: the echo model repeats that a person replaced the arguments, and the new result. */
const paid = /^Pay \{.*"result":48\}\?$/;

/** Makes a tool ask, and edits the step that asks, by their fields. Starts at the tab "Flow". */
const editApprovals = async (page: Page, check: Check): Promise<void> => {
  const editor = await openJson(page);
  await page.getByRole("group", { name: "Prompt sum" }).press("Enter");
  await page.getByLabel("Approval of Calculate").selectOption("always");
  await editor.getByText('"approval": true').waitFor();
  await check("the approval of a tool");

  await page.getByRole("group", { name: "Approval decide" }).press("Enter");
  await page.getByLabel("Title").fill("Pay {% steps.sum.output %}?");
  await page.getByLabel("The user who started the execution may decide").check();
  await page.getByRole("button", { name: "Edit actions" }).click();
  await page.getByLabel("Label of action 1").fill("Pay");
  await page.getByLabel("Timeout", { exact: true }).fill("2");
  await page.getByLabel("Unit of time").selectOption("hours");
  await editor.getByText('"timeoutSeconds": 7200').waitFor();
  await check("the fields of an approval");
  await page.getByRole("button", { name: "Save revision" }).click();
  await page.getByText("Revision 2", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Deploy" }).click();
  await page.getByText("Revision 2 deployed").waitFor();
};

/** Replaces the arguments of the call that waits next to its run; refused ones are shown at their pointer. */
const approveCall = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Edit arguments" }).click();
  const write = async (text: string): Promise<void> => {
    await page.getByRole("textbox", { name: "Arguments" }).click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.insertText(text);
    await page.getByRole("button", { name: "Approve", exact: true }).click();
  };
  await write('{"expression": 7}');
  await page.getByText("/expression: ").first().waitFor();
  await write('{"expression": "6 * 8"}');
  // The run continues here, and waits again.
  await page.getByRole("group", { name: paid }).waitFor();
};

/** Builds approvals by their fields, decides one in "Try it" and the next on its page. Starts at the tab "Flow". */
export const decideInConsole = async (page: Page, check: Check): Promise<void> => {
  await editApprovals(page, check);
  await openTryIt(page);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("link", { name: "Approvals 1 to decide" }).waitFor();
  await approveCall(page);

  await page.getByRole("link", { name: "Open execution" }).click();
  await page.getByText("Owners and Editors of pay, since").waitFor();
  await page.getByRole("link", { name: paid }).click();
  await page.getByRole("heading", { name: paid, level: 1 }).waitFor();
  await check("an approval");
  await page.getByLabel("Comment").fill("As agreed.");
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await page.getByText("As agreed.").waitFor();
  await page.getByRole("link", { name: "Execution of pay" }).click();
  await page.getByText("Succeeded").first().waitFor();
  await page.getByRole("link", { name: "Approvals", exact: true }).waitFor();
};

/** Opens the page of a consent that a tool needs, from the approval of its execution. Starts at the page "Approvals". */
export const openConsent = async (page: Page, check: Check): Promise<void> => {
  await page.getByRole("link", { name: "Connect Drive" }).first().click();
  await page.getByRole("heading", { name: "Connect Drive", level: 1 }).waitFor();
  await check("the approval of a consent");
  const opened = page.waitForEvent("popup");
  await page.getByRole("link", { name: "Give consent" }).click();
  const consent = await opened;
  await consent.getByRole("button", { name: "Continue" }).waitFor();
  await consent.close();
};
