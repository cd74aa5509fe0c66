import type { Page } from "playwright-core";

type Check = (name: string) => Promise<void>;

const confirm = (page: Page, name: string): Promise<void> =>
  page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

const choose = async (page: Page, field: string, option: string): Promise<void> => {
  await page.getByRole("combobox", { name: field }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
};

/** Creates a scorer, starts an experiment with two revisions, and reads its summary and what fell. */
export const runExperiment = async (page: Page, check: Check): Promise<void> => {
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Experiments" })
    .click();
  await page.getByRole("tab", { name: "Scorers" }).click();
  await page.getByRole("button", { name: "Create scorer" }).click();
  await page.getByLabel("Name").fill("Right team");
  await page.getByLabel("ID", { exact: true }).fill("routed");
  await page.getByLabel("Path").fill("team");
  await confirm(page, "Create");
  await page.getByText("Check the fields that are marked.").waitFor();
  await page.getByLabel("Path").fill("/team");
  await confirm(page, "Create");
  await page.getByRole("row", { name: "Right team Exact" }).waitFor();
  await check("scorers");

  await page.getByRole("tab", { name: "All experiments" }).click();
  await page.getByRole("button", { name: "Start experiment" }).click();
  await page.getByLabel("Name").fill("More words");
  await choose(page, "Dataset", "Tickets");
  await choose(page, "Agent", "Ticket desk");
  await choose(page, "Revisions", "Revision 1");
  await page.getByRole("option", { name: "Revision 2", exact: true }).click();
  await page.keyboard.press("Escape");
  await choose(page, "Scorers", "Right team");
  await page.keyboard.press("Escape");
  await page.getByText("4 runs: 2 examples").waitFor();
  await check("a new experiment");
  await page.getByRole("button", { name: "Start experiment", exact: true }).click();

  await page.getByRole("heading", { name: "More words", level: 1 }).waitFor();
  await page.getByRole("row", { name: "routed" }).getByText("100% passed").waitFor();
  // Regressions are shown first, with both outputs.
  const example = page.getByRole("article").first();
  await example.getByText("routed: 1 to 0").waitFor();
  await example.getByText("Output of revision 1", { exact: true }).waitFor();
  await example.getByLabel("Expected", { exact: true }).getByText("billing").waitFor();
  await example.locator("ins").getByText("support").waitFor();
  await example.getByText("Output of revision 2", { exact: true }).waitFor();
  await check("an experiment");
  await page.getByRole("tab", { name: "Results" }).click();
  await page.getByRole("table", { name: "Results" }).getByText("Succeeded").first().waitFor();
  await page.getByRole("tab", { name: "Versions" }).click();
  await page.getByRole("link", { name: "Revision 2" }).waitFor();
  await check("versions of an experiment");
};

/** Deploys revisions of the agent only after what the experiment found. Starts at the agent's revisions. */
export const deployWithRequirements = async (page: Page, check: Check): Promise<void> => {
  const experiment = page.getByLabel("Required experiment");
  const open = async (revision: string): Promise<void> => {
    const row = page.getByRole("row", { name: revision });
    await row.getByRole("button", { name: "Deploy" }).click();
    const tested = await experiment.getByRole("option", { name: "More words" }).textContent();
    await experiment.selectOption({ label: tested ?? "" });
  };
  await open("Revision 1");
  await confirm(page, "Deploy");
  await page.getByText("Revision 1 deployed").waitFor();

  // The mean of the deployed revision is the minimum to start from.
  await open("Revision 2");
  await page.getByText("Revision 2 reached 0, the deployed one 1.").waitFor();
  await check("a deployment that requires results");
  await confirm(page, "Deploy");
  await page.getByRole("alert").getByText("routed 0, at least 1 is required").waitFor();
  await check("a refused deployment");
  await page.getByLabel("Minimum of routed").fill("0");
  await confirm(page, "Deploy");
  await page.getByText("Revision 2 deployed").waitFor();
};

const revision = (condition: string): object => ({
  parametersMetadata: [{ name: "ticket", type: "String", required: true }],
  flow: {
    steps: [{ id: "team", type: "Output", value: { team: `{% ${condition} %}` } }],
    edges: [],
  },
});

/** An agent with two revisions, and a dataset with two examples; the second revision is worse on one of them. */
export const experimentResources: readonly (readonly [path: string, body: object])[] = [
  ["agents", { id: "desk", displayName: "Ticket desk" }],
  ["agents/desk/revisions", revision("'billing'")],
  ["agents/desk/revisions", revision("'support'")],
  ["datasets", { id: "tickets", displayName: "Tickets" }],
  [
    "datasets/tickets/examples",
    {
      items: ["Where is my invoice?", "Refund, please"].map((ticket) => ({
        input: { ticket },
        expected: { team: "billing" },
      })),
    },
  ],
];
