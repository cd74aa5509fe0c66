import type { Locator, Page, Route } from "playwright-core";
import { expect } from "vitest";

type Check = (name: string) => Promise<void>;

const prompt = {
  id: "reply",
  type: "Prompt",
  llm: { providerId: "echo", parameters: {} },
  prompt: "{% input.message %}",
  tools: ["calculate"],
};

/** A revision that is talked to, and fails for one message. */
export const talkRevision = {
  parametersMetadata: [
    { name: "message", type: "String", required: true },
    { name: "guest", type: "String", required: false, defaultValue: "ada" },
  ],
  flow: {
    steps: [
      prompt,
      {
        id: "result",
        type: "Output",
        value: "{% input.message = 'Fail' ? $error('Nothing to say.') : steps.reply.output %}",
      },
    ],
    edges: [{ source: "reply", target: "result" }],
  },
};

const call = '{"call": {"name": "calculate", "arguments": {"expression": "6 * 7"}}}';

/** Gives a revision sessions and a memory by their fields, and deploys it. Starts at the tab "Flow". */
const remember = async (page: Page): Promise<void> => {
  const save = page.getByRole("button", { name: "Save revision" });
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Remember the conversation of a session").check();
  await page.getByLabel("Max stored turns").fill("500");
  await save.click();
  const refused = page.locator("[aria-invalid=true]");
  await refused.and(page.getByLabel("Max stored turns")).waitFor();
  await page.getByLabel("Max stored turns").fill("40");
  await page.getByRole("group", { name: "Prompt reply" }).press("Enter");
  await page.getByLabel("Remember facts between executions").check();
  await save.click();
  // The refusal of the API is shown at its field.
  await refused.and(page.getByLabel("Namespace")).waitFor();
  await page.getByLabel("Namespace").fill("{% input.guest %}");
  await page.getByLabel("Max facts").fill("3");

  // Text that is typed while the revision is saved is kept.
  const reply = Promise.withResolvers<void>();
  await page.route(
    /\/revisions$/,
    async (route) => {
      await reply.promise;
      await route.continue();
    },
    { times: 1 },
  );
  await save.click();
  await page.getByLabel("System").fill("Typed later");
  reply.resolve();
  await page.getByText("Revision 2", { exact: true }).waitFor();
  await page.getByLabel("System").getByText("Typed later").waitFor();
  await save.click();
  await page.getByText("Revision 3", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Deploy" }).click();
  await page.getByText("Revision 3 deployed").waitFor();
};

const markdown = "**Hot** [tea](https://tea.example) <b>x</b> ![y](https://images.example/y.png)";

/** The agent's text is shown as Markdown, without its HTML and its image; the user's as it is. */
const readMarkdown = async (turn: Locator): Promise<void> => {
  await turn.locator("strong", { hasText: "Hot" }).waitFor();
  await turn.getByText(markdown, { exact: true }).waitFor();
  await turn.getByText("<b>x</b>").last().waitFor();
  const link = turn.getByRole("link", { name: "tea", exact: true });
  expect(await link.getAttribute("rel")).toContain("noopener");
  expect(await turn.locator("img, b").count()).toBe(0);
};

/** Sends messages of one session, one of which fails, and begins another conversation. Starts at the agent. */
const talk = async (page: Page, check: Check): Promise<void> => {
  await page.getByRole("tab", { name: "Try it" }).click();
  const message = page.getByLabel("message", { exact: true });
  const turns = page.getByRole("list", { name: "Conversation" }).getByRole("listitem");
  const runTurn = async (text: string): Promise<void> => {
    await message.fill(text);
    await message.press("Enter");
  };
  await runTurn("I drink green tea.");
  await turns.nth(0).getByText("Succeeded").waitFor();
  expect(await message.inputValue()).toBe("");
  await runTurn("Fail");
  await turns.nth(1).getByText("Nothing to say.").waitFor();
  // A failed turn can be sent again.
  await expect.poll(() => message.inputValue()).toBe("Fail");
  await runTurn(call);
  await turns.nth(2).getByText("Succeeded").waitFor();
  await runTurn(markdown);
  await turns.nth(3).getByText("Succeeded").waitFor();
  await readMarkdown(turns.nth(3));
  await check("a conversation in Try it");
  await page.getByRole("link", { name: /^session / }).click();
  await page.getByRole("heading", { name: /^Session / }).waitFor();
};

/** Reads fewer messages of a page than the console asks for. */
const shortenPage = async (route: Route): Promise<void> => {
  const url = new URL(route.request().url());
  url.searchParams.set("PageSize", "4");
  await route.continue({ url: url.href });
};

/** Reads the session of a conversation, and deletes it. Starts at its page. */
const readSession = async (page: Page, check: Check): Promise<void> => {
  const turns = page.getByRole("list", { name: "Turns" }).getByRole("listitem");
  await page.route(/\/messages\?/, shortenPage);
  await page.reload();
  // The latest turns are shown first; of a turn that a page divides, nothing is.
  await readMarkdown(turns.nth(0));
  expect(await turns.count()).toBe(1);
  await page.getByRole("button", { name: "Earlier messages" }).click();
  await expect.poll(() => turns.count()).toBe(3);
  expect(await page.getByRole("button", { name: "Earlier messages" }).count()).toBe(0);
  await turns.nth(1).getByText("Tool call calculate").click();
  await turns.nth(1).getByText('"6 * 7"').last().waitFor();
  await turns.nth(0).getByText("I drink green tea.").first().waitFor();
  await page.getByText("Cost of the session's turns: $").waitFor();
  await check("a session");
  await turns.nth(0).getByRole("link", { name: "Open execution" }).click();
  await page.getByRole("heading", { name: "Execution of talk" }).waitFor();
  await page.getByRole("link", { name: "Session 0" }).click();
  await page.getByRole("button", { name: "Continue in Try it" }).click();
  await page.getByText("Continues the").waitFor();
  await page.getByRole("button", { name: "New conversation" }).click();
  await page.getByText("The first message starts a session.").waitFor();

  await page.getByRole("tab", { name: "Sessions" }).click();
  await page.getByRole("table", { name: "Sessions" }).getByRole("link").click();
  await page.getByRole("button", { name: "Delete session" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No sessions yet").waitFor();
};

/** Deletes what was remembered. Starts at the agent. */
const forget = async (page: Page, check: Check): Promise<void> => {
  await page.getByRole("tab", { name: "Memories" }).click();
  await page.getByText("{% input.guest %}").waitFor();
  await page.getByLabel("Namespace").fill("ada");
  await page.getByRole("button", { name: "Show memories", exact: true }).click();
  const tea = page.getByRole("row", { name: "I drink green tea." });
  await tea.waitFor();
  await check("memories");
  await tea.getByRole("button").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await tea.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Delete all memories" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No memories").waitFor();
};

/** Gives executions of a subscription and of a schedule a session, by the fields of their dialogs. Starts at the agent. */
const triggerSessions = async (page: Page, webhook: string): Promise<void> => {
  await page.getByRole("tab", { name: "Schedules" }).click();
  await page.getByRole("button", { name: "Add schedule" }).click();
  const dialog = page.getByRole("dialog");
  const fill = async (session: string): Promise<void> => {
    await dialog.getByLabel("Session").fill(session);
    await dialog.getByLabel("End user").fill("ada");
  };
  // An id has at most 128 characters.
  await fill("w".repeat(129));
  await dialog.getByRole("button", { name: "Save revision" }).click();
  await page.locator("[aria-invalid=true]").and(dialog.getByLabel("Session")).waitFor();
  await fill("weekly");
  await dialog.getByRole("button", { name: "Save revision" }).click();
  await page.getByRole("table", { name: "Schedules" }).getByText("weekly").waitFor();

  await page.goto(new URL(webhook, page.url()).href);
  await page.getByRole("button", { name: "Add subscription" }).click();
  await page.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: "Talk" }).click();
  await dialog.getByLabel("Input").fill('{"message": "{% payload.text %}"}');
  await fill("{% payload.thread %}");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  const row = page.getByRole("row", { name: "Agent talk" });
  await row.getByRole("button").click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  expect(await dialog.getByLabel("Session").inputValue()).toBe("{% payload.thread %}");
  expect(await dialog.getByLabel("End user").inputValue()).toBe("ada");
};

/** Makes an agent remember, talks to it, reads and deletes the session and the memories. Starts at the tab "Flow". */
export const converse = async (page: Page, check: Check, webhook: string): Promise<void> => {
  await remember(page);
  await talk(page, check);
  await readSession(page, check);
  await forget(page, check);
  await triggerSessions(page, webhook);
};
