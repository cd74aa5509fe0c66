import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";

const openFromNavigation = (page: Page, name: string): Promise<void> =>
  page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click();

const confirm = (page: Page, name: string): Promise<void> =>
  page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

const addStep = async (page: Page, type: string, value: string): Promise<void> => {
  await press(page, "Add step");
  await page.getByRole("option", { name: type, exact: true }).click();
  await page.getByRole("textbox", { name: "Value", exact: true }).fill(value);
};

const buildFiveSteps = async (page: Page): Promise<void> => {
  await openFromNavigation(page, "Agents");
  await press(page, "Create agent");
  await page.getByLabel("Name").fill("Five steps");
  await press(page, "Create");
  await press(page, "Add the first step");
  await page.getByRole("option", { name: "Prompt", exact: true }).click();
  await page.getByLabel("Prompt", { exact: true }).fill("Say hello.");
  for (const value of ["one", "two", "three"]) await addStep(page, "Transform", value);
  await addStep(page, "Output", "done");
  await press(page, "Save and deploy");
  await confirm(page, "Deploy");
  await page.getByText("Revision 1 deployed").waitFor();
};

const startFromTemplate = async (page: Page): Promise<void> => {
  await page.getByRole("link", { name: "Support triage" }).click();
  await page.getByLabel("Name").fill("Counted triage");
  await confirm(page, "Create agent");
  await page.getByRole("heading", { name: "Counted triage", level: 1 }).waitFor();
  await press(page, "Run");
  await page.getByText('"queue": "billing"').first().waitFor();
};

const runFailureAgain = async (page: Page): Promise<void> => {
  await page.getByRole("link", { name: "All failed executions" }).click();
  const row = page.getByRole("row", { name: countedError }).first();
  await row.getByRole("checkbox").check();
  await press(page, "Run again");
  await confirm(page, "Run again");
  await page.getByText("1 started.").waitFor();
};

const createKey = async (page: Page): Promise<void> => {
  await openFromNavigation(page, "API keys");
  await press(page, "Create API key");
  await page.getByLabel("Name").fill("Counted");
  await page.getByLabel("Preset").selectOption("Runner");
  await press(page, "Create");
  await press(page, "Done");
};

const connectWebhook = async (page: Page): Promise<void> => {
  await openFromNavigation(page, "Webhooks");
  await press(page, "Create webhook");
  await page.getByLabel("Provider", { exact: true }).selectOption("generic");
  await page.getByLabel("External context").fill("counted");
  await press(page, "Create");
  await press(page, "Create key");
  await press(page, "Done");
  await page.getByRole("row", { name: "counted" }).getByRole("link").click();
  await press(page, "Add subscription");
  await page.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: "Counted", exact: true }).click();
  await confirm(page, "Create");
  await page.getByRole("row", { name: "Agent counted" }).waitFor();
};

const decideApproval = async (page: Page): Promise<void> => {
  await page.getByRole("link", { name: "Approvals to decide" }).click();
  await page.getByRole("link", { name: "Counted?" }).click();
  await press(page, "Approve");
  await page.getByText("Saved your decision.").waitFor();
};

const compareRevisions = async (page: Page): Promise<void> => {
  await openFromNavigation(page, "Agents");
  await page.getByRole("link", { name: "Counted", exact: true }).click();
  await page.getByRole("tab", { name: "Revisions" }).click();
  await press(page, "Compare revisions");
  await page.getByLabel("Changes").waitFor();
};

const deployWithMinimums = async (page: Page): Promise<void> => {
  await openFromNavigation(page, "Experiments");
  await page.getByRole("link", { name: "Counted", exact: true }).click();
  await page.getByRole("link", { name: "Deploy with these minimums" }).click();
  await confirm(page, "Deploy");
  await page.getByText("Revision 2 deployed").waitFor();
};

/** The jobs of the table, by their names in docs/console.md. Each starts at the home page. */
export const clickedJobs: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  "create an agent, build five steps and deploy them": buildFiveSteps,
  "create an agent from a template and run it": startFromTemplate,
  "find a failure over all agents and run it again": runFailureAgain,
  "create an API key": createKey,
  "create a webhook with a key and subscribe an agent": connectWebhook,
  "decide an approval": decideApproval,
  "compare two revisions": compareRevisions,
  "deploy a revision with the minimums of an experiment": deployWithMinimums,
};

/** The error of a failed execution. */
export const countedError = "The stock of counted items is empty";

const output = (value: string) => ({
  flow: { steps: [{ id: "out", type: "Output", value }], edges: [] },
});
const failing = {
  steps: [{ id: "check", type: "Transform", value: `{% $error("${countedError}") %}` }],
  edges: [],
};
const asking = {
  steps: [{ id: "ask", type: "Approval", title: "Counted?", allowStarter: true }],
  edges: [],
};

/** Resources of the jobs: an agent that fails, one that asks, and one with two revisions to compare. */
export const countedResources: readonly (readonly [path: string, body: object])[] = [
  ...[["counted-failure", failing] as const, ["counted-question", asking] as const].flatMap(
    ([id, flow]) => [
      ["agents", { id, displayName: id }] as const,
      [`agents/${id}/revisions`, { flow }] as const,
      [`agents/${id}/revisions/1:deploy`, {}] as const,
      [`agents/${id}:execute`, {}] as const,
    ],
  ),
  ["agents", { id: "counted", displayName: "Counted" }],
  ["agents/counted/revisions", output("yes")],
  ["agents/counted/revisions", output("yes.")],
  ["agents/counted/revisions/1:deploy", {}],
  ["datasets", { id: "counted", displayName: "Counted" }],
  ["datasets/counted/examples", { items: [{ input: {}, expected: "yes" }] }],
  ["scorers", { id: "counted", displayName: "Counted", type: "Expression", value: "1" }],
];

/** The experiment of the last job. */
export const countedExperiment = {
  ...{ displayName: "Counted", datasetId: "counted", agentId: "counted" },
  ...{ revisions: [1, 2], scorers: ["counted"] },
};

/** Counts presses of the pointer. A choice in a list of the browser counts as two: it opens, and it is chosen. */
const counter = `
  globalThis.clicks = 0;
  addEventListener("pointerdown", () => { globalThis.clicks += 1; }, true);
  addEventListener("change", ({ target }) => {
    if (target instanceof HTMLSelectElement) globalThis.clicks += 2;
  }, true);
`;

/** Does a job, and returns its clicks. Typing is not counted, nor is the way to a field: Tab leads there. */
export const countClicks = async (
  page: Page,
  run: (page: Page) => Promise<void>,
): Promise<number> => {
  await page.evaluate(counter);
  await run(page);
  return Number(await page.evaluate("globalThis.clicks"));
};

/** Reads the table of clicks of docs/console.md: the job, and its clicks now. */
export const readClickTable = (): Record<string, number> => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/console.md"), "utf8");
  const [, section = ""] = text.split("\n## Clicks\n");
  const rows = section.split("\n## ")[0]?.matchAll(/^\| (.+?) +\| +(?:\d+|–) \| +(\d+) \|$/gm);
  return Object.fromEntries([...(rows ?? [])].map(([, job, now]) => [job, Number(now)]));
};
