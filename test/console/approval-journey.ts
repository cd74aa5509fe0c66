import type { Page } from "playwright-core";

type Check = (name: string) => Promise<void>;

/** A flow that asks the person who starts it. */
export const payFlow = {
  steps: [{ id: "decide", type: "Approval", title: "Pay?", allowStarter: true }],
  edges: [],
};

/** Decides the only pending approval; its execution continues and succeeds. Starts at the list. */
export const decideInConsole = async (page: Page, check: Check): Promise<void> => {
  await page.getByRole("link", { name: "Pay?" }).click();
  await page.getByRole("link", { name: "Execution of pay" }).click();
  await page.getByText("Waits for approval").waitFor();
  await page.getByRole("link", { name: "Pay?" }).click();
  await page.getByLabel("Comment").fill("Go ahead.");
  await check("an approval");
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByText("Go ahead.").waitFor();
  await page.getByRole("link", { name: "Execution of pay" }).click();
  await page.getByText("Succeeded").first().waitFor();
};
