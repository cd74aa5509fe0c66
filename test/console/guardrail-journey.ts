import type { Page } from "playwright-core";
import { expect } from "vitest";
import { openTryIt } from "./editor-actions.ts";

type Check = (name: string) => Promise<void>;

/** A revision with an output that a check finds, and that is not a part of the input. */
export const numberRevision = {
  parametersMetadata: [{ name: "number", type: "Integer", required: true }],
  flow: {
    steps: [
      { id: "name", type: "Output", value: '{% "PROJECT-" & $string(4000 + input.number) %}' },
    ],
    edges: [],
  },
};

const content = "PROJECT-4711";

/** Creates a guardrail with two checks, which is refused at a field first. Starts at the list of guardrails. */
const create = async (page: Page, check: Check): Promise<void> => {
  await page.getByText("No guardrails yet").waitFor();
  await page.getByRole("button", { name: "Create guardrail" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Projects");
  await page.getByLabel("ID", { exact: true }).fill("projects");
  await page.getByLabel("ID of check 1").fill("names");
  await page.getByLabel("Type of check 1").selectOption("Pattern");
  await page.getByLabel("Pattern of check 1").fill("(?=x)");
  await page.getByLabel("Action of check 1").selectOption("block");
  await page.getByRole("button", { name: "Add check" }).click();
  await page.getByLabel("Type of check 2").selectOption("Expression");
  // An Expression has nothing to mask.
  const actions = page.getByLabel("Action of check 2").getByRole("option");
  expect((await actions.allTextContents()).map((text) => text.split(":")[0])).toEqual([
    "block",
    "flag",
  ]);
  await page.getByLabel("Action of check 2").selectOption("flag");
  await page.getByLabel("Expression of check 2").fill("$length(value) > 10");
  await page.getByRole("button", { name: "Move check 2 up" }).click();
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const refused = page.locator("[aria-invalid=true]");
  await refused.and(page.getByLabel("Pattern of check 2")).waitFor();
  expect(await refused.count()).toBe(1);
  await check("the form of a guardrail");
  await page.getByLabel("Pattern of check 2").fill("PROJECT-[0-9]+");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
};

/** Tries, changes and restores the guardrail. Starts at its page. */
const tryAndRestore = async (page: Page, check: Check): Promise<void> => {
  const tried = page.getByRole("region", { name: "Try it" });
  await tried.getByLabel("Value to check").fill(`It is ${content}.`);
  await tried.getByRole("button", { name: "Apply" }).click();
  await tried.getByRole("row", { name: "names Pattern Blocked" }).waitFor();
  await tried.getByRole("row", { name: "check-2 Expression Flagged" }).waitFor();
  await tried.getByText("The value is blocked.").waitFor();
  await page.getByLabel("Action of check 2").selectOption("mask");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("projects, revision 2").waitFor();
  await tried.getByRole("button", { name: "Apply" }).click();
  await tried.getByText("It is [Pattern].").waitFor();
  await check("a guardrail");
  await page.getByRole("button", { name: "Compare revision 1" }).click();
  await page.getByText('"action": "mask"').waitFor();
  await page.getByRole("button", { name: "Restore revision 1" }).click();
  await page.getByText("projects, revision 3").waitFor();
  await expect.poll(() => page.getByLabel("Action of check 2").inputValue()).toBe("block");
};

/** Names the guardrail for all agents: it cannot be deleted then. Starts at its page. */
const nameForAll = async (page: Page): Promise<void> => {
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Guardrails" })
    .click();
  const floor = page.getByRole("combobox", { name: "Guardrails of all agents" });
  const save = page.getByRole("button", { name: "Save for all agents" });
  await floor.click();
  await page.getByRole("option", { name: "Projects" }).click();
  await page.keyboard.press("Escape");
  await save.click();
  await page.getByText("Saved the guardrails of all agents.").waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Actions for Projects" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await floor.press("Backspace");
  await page.keyboard.press("Escape");
  await save.click();
  await page.getByText("Saved the guardrails of all agents.").waitFor();
};

/** Creates a guardrail, tries, changes and restores it, and names it for all agents. Starts at the list of guardrails. */
export const manageGuardrail = async (page: Page, check: Check): Promise<void> => {
  await create(page, check);
  await tryAndRestore(page, check);
  await nameForAll(page);
};

/** Finds the execution among those of all agents, by its reason, status and day, which are in the address. */
const findBlocked = async (page: Page, reason: string, check: Check): Promise<void> => {
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Executions" })
    .click();
  const table = page.getByRole("table", { name: "Executions" });
  const row = table.getByRole("row", { name: "Failed" }).filter({ hasText: reason }).first();
  await row.getByTitle(reason).waitFor();
  await row.getByText("projects", { exact: true }).waitFor();
  await page.getByLabel("Status").selectOption("Failed");
  const started = await row.locator("time").getAttribute("datetime");
  const day = await page.evaluate(`new Date(${JSON.stringify(started)}).toLocaleDateString("sv")`);
  await page.getByLabel("First day").fill(String(day));
  await page.getByLabel("Last day").fill(String(day));
  await page.reload();
  await row.waitFor();
  expect(await table.getByText("Succeeded").count()).toBe(0);
  await check("executions of all agents");
  // A last day before the first one is refused at its field.
  await page.getByLabel("Last day").fill("2026-01-01");
  await page.locator("[aria-invalid=true]").and(page.getByLabel("First day")).waitFor();
  await page.getByLabel("First day").fill("2026-01-01");
  await page.getByRole("heading", { name: "No executions" }).waitFor();
  await page.getByLabel("First day").fill("");
  await page.getByLabel("Last day").fill("");
  await page.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: "Projects" }).click();
  await row.getByRole("checkbox").waitFor();
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    agent: "projects",
    status: "Failed",
  });
};

/** Names the guardrail in a revision: its execution is blocked, and no page has the content. Starts at the tab "Flow". */
export const runBlocked = async (page: Page, check: Check): Promise<void> => {
  const sent: string[] = [];
  page.on("response", async (response) => {
    if (response.url().includes("/v1/")) sent.push(await response.text().catch(() => ""));
  });
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("combobox", { name: "Guardrails" }).click();
  await page.getByRole("option", { name: "Projects" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save revision" }).click();
  await page.getByText("Revision 2", { exact: true }).waitFor();
  await openTryIt(page);
  await page.getByLabel("number").fill("711");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const blocked = 'The guardrail "projects" blocked the output (check "names").';
  await page.getByText(blocked).waitFor();
  await page.getByRole("link", { name: "Open execution" }).click();
  await page.getByRole("heading", { name: "Execution of projects" }).waitFor();
  await page.getByText(blocked).first().waitFor();
  const spans = page.getByRole("list", { name: "Spans" });
  await spans.getByRole("button", { name: "Guardrails: output" }).click();
  await page.getByText('"outcome": "blocked"').waitFor();
  await check("an execution that a guardrail blocked");
  await findBlocked(page, blocked, check);
  expect(await page.content()).not.toContain(content);
  expect(sent.join("\n")).not.toContain(content);
};
