import type { Page, Route } from "playwright-core";
import { expect } from "vitest";
import type { ExecutionTrace } from "../../client/openapi.ts";
import { writeJson } from "./editor-actions.ts";

const passage = { assetId: "handbook", text: "A passage.", score: 1 };
const citations = [
  { documentName: "support.md", link: "https://example.com/support" },
  { documentName: "uploaded.md", link: null },
  { documentName: "script.md", link: "javascript:alert(1)" },
].map((document) => ({ ...passage, documentId: document.documentName, ...document }));

/** Adds citations to the Prompts of a trace. */
const withCitations = async (route: Route): Promise<void> => {
  const response = await route.fetch();
  const trace: ExecutionTrace = await response.json();
  const spans = trace.spans.map((span) => (span.type === "Prompt" ? { ...span, citations } : span));
  await route.fulfill({ response, json: { ...trace, spans } });
};

/** Runs an agent with a loop, and reads its steps in the graph and in the waterfall. Starts at "Try it" of `triage`. */
export const inspectLoopExecution = async (
  page: Page,
  check: (name: string) => Promise<void>,
): Promise<void> => {
  await page.route(/\/trace$/, withCitations);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const loop = page.getByRole("group", { name: "ForEach replies" });
  // The events stream into the graph; what the steps took and used follows at the end.
  await loop.getByText("40 tokens").waitFor();
  await page.getByRole("group", { name: "Transform quiet" }).getByText("Skipped").waitFor();
  await loop.getByText("2 ×").waitFor();
  await loop.press("Enter");
  await page.getByRole("region", { name: "Span replies" }).getByText("Grace, we are").waitFor();
  await check("the graph of a run");

  await page.getByRole("link", { name: "Open execution" }).click();
  await page.getByRole("heading", { name: "Execution of triage" }).waitFor();
  await page.getByRole("group", { name: "ForEach replies" }).click();
  const iterations = page.getByRole("list", { name: "Iterations" });
  await iterations.getByRole("button", { name: "Item 1" }).click();
  await page.getByRole("list", { name: "Calls" }).getByRole("button", { name: "echo-1" }).waitFor();
  await page.getByLabel("Span output").getByText("Grace, we are on it").waitFor();
  const cited = page.getByRole("list", { name: "Citations" });
  const link = cited.getByRole("link", { name: "support.md" });
  expect(await link.getAttribute("href")).toBe("https://example.com/support");
  await cited.getByText("uploaded.md").waitFor();
  await cited.getByText("script.md").waitFor();
  expect(await cited.getByRole("link").count()).toBe(1);
  const spans = page.getByRole("list", { name: "Spans" });
  await spans.getByRole("button", { name: "Spans inside replies" }).click();
  await spans.getByRole("button", { name: "Item 1" }).first().waitFor({ state: "detached" });
  await check("the graph of an execution");
};

const manySteps = 200;

const largeFlow = (): string => {
  const ids = Array.from({ length: manySteps }, (_, index) => `s${index}`);
  const steps = ids.map((id) => ({ id, type: "Transform", value: id }));
  const edges = ids.slice(10).map((target, index) => ({ source: `s${index}`, target }));
  return JSON.stringify({ flow: { steps, edges } });
};

/** Collects the steps that are drawn again. Runs in the browser. */
const watchSteps = `
  globalThis.drawnSteps = new Set();
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const step = target.closest?.(".react-flow__node");
      if (step) globalThis.drawnSteps.add(step);
    }
  }).observe(document.querySelector(".react-flow__nodes"), { subtree: true, childList: true, attributes: true });
`;

/** Draws a flow of 200 steps: a worker lays it out, and a selection draws two steps again. Starts at the tab "Flow". */
export const drawLargeFlow = async (page: Page): Promise<void> => {
  await writeJson(page, largeFlow());
  const last = page.getByRole("group", { name: "Transform s199", exact: true });
  await page.getByRole("button", { name: "fit view" }).click();
  await last.waitFor();
  await expect.poll(() => page.locator(".react-flow__node").count()).toBe(manySteps);
  expect(page.workers()).toHaveLength(1);

  await last.press("Enter");
  await page.getByLabel("Step ID").waitFor();
  await page.evaluate(watchSteps);
  await page.getByRole("group", { name: "Transform s0", exact: true }).press("Enter");
  await expect.poll(() => page.getByLabel("Step ID").inputValue()).toBe("s0");
  expect(await page.evaluate("globalThis.drawnSteps.size")).toBe(2);
};

/** Runs the draft in the editor, then one step with what the others returned. Starts at the tab "Flow" of `hello`. */
export const runDraft = async (
  page: Page,
  check: (name: string) => Promise<void>,
): Promise<void> => {
  await page.getByRole("group", { name: "Transform greeting" }).press("Enter");
  const value = page.getByRole("textbox", { name: "Value", exact: true });
  await value.fill("Hi {% $uppercase(input.na");
  await page.getByRole("option", { name: /^name/ }).click();
  await page.keyboard.type(") %}");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const panel = page.getByRole("region", { name: "Run of the draft" });
  await panel.getByLabel("name").fill("Ada");
  await panel.getByRole("button", { name: "Run draft" }).click();
  await panel.getByText("Succeeded").waitFor();
  await panel.getByText("Hi ADA").waitFor();
  const answer = page.getByRole("group", { name: "Prompt answer" });
  await answer.getByText("tokens").waitFor();
  await check("a run of the draft");

  // The preview reads the values of the run, and the step runs alone with a pinned output of another.
  await page.getByRole("button", { name: "Pin output" }).click();
  await page.getByRole("textbox", { name: "Pinned output" }).fill('"Good day"');
  await answer.press("Enter");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).press("End");
  await page.getByText("In the last run").getByText("Good day").waitFor();
  await page.getByRole("button", { name: "Run this step" }).click();
  await panel.getByText("step answer").waitFor();
  await page.getByRole("region", { name: "Last run of answer" }).getByText("Good day").waitFor();
};

/** Adds a step to a case by dragging from its handle. Starts at the tab "Flow" of `triage`. */
export const dragCase = async (page: Page): Promise<void> => {
  const source = page.locator('.react-flow__handle[data-handleid="otherwise"]').first();
  const target = page.locator(".react-flow__node").last().locator(".react-flow__handle.target");
  await source.dragTo(target, { steps: 8 });
  const id = await page.locator(".react-flow__node").last().getAttribute("data-id");
  await page.locator(".react-flow__node").filter({ has: source }).press("Enter");
  const otherwise = page.getByRole("combobox", { name: "Otherwise" });
  await expect.poll(() => otherwise.inputValue()).toContain(id ?? "");
};
