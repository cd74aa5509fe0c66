import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { ModelServer } from "../harness/model-server.ts";

/** A flow with text from the model of the provider `paced`. */
export const pacedRevision = {
  flow: {
    steps: [
      {
        id: "write",
        type: "Prompt",
        prompt: "Write two sentences.",
        llm: { providerId: "paced", parameters: { model: "small" } },
      },
    ],
    edges: [],
  },
};

const openPanel = async (page: Page) => {
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const panel = page.getByRole("region", { name: "Run of the draft" });
  await panel.getByRole("button", { name: "Run draft" }).click();
  return {
    panel,
    text: panel.getByLabel("Text so far"),
    stop: panel.getByRole("button", { name: "Stop" }),
  };
};

/** Runs the draft with a model that writes on request: its text grows before the end. Starts at the tab "Flow". */
export const readGrowingText = async (page: Page, models: ModelServer): Promise<void> => {
  const [second, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const reply = { text: ["It rains. ", "It stops."] };
  models.script({ pauses: [second.promise, end.promise], reply });
  const { panel, text, stop } = await openPanel(page);
  await expect.poll(() => text.textContent()).toBe("It rains. ");
  second.resolve();
  await expect.poll(() => text.textContent()).toBe("It rains. It stops.");
  expect(await stop.count()).toBe(1);
  end.resolve();
  await panel.getByText("Succeeded").waitFor();
  await panel.getByLabel("Output", { exact: true }).getByText("It rains. It stops.").waitFor();
  await stop.waitFor({ state: "detached" });
};

/** Has the next cancellation fail, as of a service that is down for a moment. */
const failNextCancel = (page: Page) =>
  page.route(
    "**/*:cancel",
    (route) =>
      route.fulfill({
        status: 503,
        contentType: "application/problem+json",
        body: JSON.stringify({
          type: "/problems/unavailable",
          title: "Unavailable",
          status: 503,
          detail: "Try again.",
        }),
      }),
    { times: 1 },
  );

/** Runs the draft with a model that does not end, and stops it: a failure is shown until it is closed, then the run is cancelled, and its text stays. Starts at the tab "Flow". */
export const stopDraft = async (page: Page, models: ModelServer): Promise<void> => {
  models.script({ pauses: [new Promise(() => {})], reply: { text: ["It rains. ", "It stops."] } });
  const { panel, text, stop } = await openPanel(page);
  await expect.poll(() => text.textContent()).toBe("It rains. ");
  await failNextCancel(page);
  await stop.click();
  const toast = page.getByRole("alert").filter({ hasText: "Unavailable. Try again." });
  await toast.waitFor();
  expect(await stop.count()).toBe(1);
  await toast.getByRole("button", { name: "Dismiss" }).click();
  await toast.waitFor({ state: "detached" });
  await stop.click();
  await panel.getByText("Cancelled").waitFor();
  await stop.waitFor({ state: "detached" });
  expect(await text.textContent()).toBe("It rains. ");
  await panel.getByRole("link", { name: "Open execution" }).click();
  await page.getByRole("heading", { name: "Execution of paced" }).waitFor();
  await page.getByText("Cancelled").first().waitFor();
};
