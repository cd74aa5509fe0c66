import { join } from "node:path";
import type { Browser, BrowserContext, Page, Route } from "playwright-core";
import { createServer } from "vite";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import * as z from "zod";
import { stack as connectStack } from "../harness/api.ts";
import { startModelServer } from "../harness/model-server.ts";
import { isNightly } from "../harness/runs.ts";
import { decideInConsole, openConsent, payFlow } from "./approval-journey.ts";
import { startBrowser } from "./browser.ts";
import { approveChatUser } from "./chat-journey.ts";
import {
  clickedJobs,
  countClicks,
  countedExperiment,
  countedResources,
  readClickTable,
} from "./click-journeys.ts";
import { converse, talkRevision } from "./conversation-journey.ts";
import { importDataset, scoreExecution } from "./data-journeys.ts";
import { pacedRevision, readGrowingText, stopDraft } from "./draft-journey.ts";
import { openTryIt, writeJson } from "./editor-actions.ts";
import {
  deployWithRequirements,
  experimentResources,
  runExperiment,
} from "./experiment-journeys.ts";
import { exploreExecutions } from "./explorer-journey.ts";
import { openPagesWithoutReads } from "./failed-read-journey.ts";
import { failingFlow, handleFailures } from "./failure-journey.ts";
import {
  editFileMembers,
  fileRevision,
  openExecutionWithFiles,
  runWithFiles,
} from "./file-journey.ts";
import { findViolations } from "./find-violations.ts";
import { startFromTemplate } from "./first-steps-journey.ts";
import { buildFlow } from "./flow-journey.ts";
import { dragCase, drawLargeFlow, inspectLoopExecution, runDraft } from "./graph-journeys.ts";
import { manageGuardrail, numberRevision, runBlocked } from "./guardrail-journey.ts";
import { manageAsset } from "./knowledge-journey.ts";
import {
  connectAccount,
  manageIntegration,
  manageProvider,
  manageSkill,
} from "./resource-journeys.ts";
import { renewToken, signInAgain, signOut, signOutOfCognito } from "./session-journeys.ts";
import { loadPage, showPage } from "./show-page.ts";
import { openPagesAsViewer } from "./viewer-journey.ts";
import { replayDelivery, sendChosenEvent, shipFlow, waitForEvent } from "./webhook-journey.ts";

const stack = connectStack();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
  // Until it is built, a page that reloads itself is shown.
  const isBuilt = async () =>
    (await (await fetch(`${stack.baseUrl}/console/`)).text()).includes('id="root"');
  await vi.waitUntil(isBuilt, { timeout: 500_000, interval: 500 });
  await send("POST", "assets", { id: "handbook", displayName: "Handbook", type: "upload" });
  admin = await signInAdmin();
});
afterAll(() => browser?.close());

const Created = z.object({ id: z.string().optional(), executionId: z.string().optional() });

/** Creates a test's data through the API, as an Admin, and returns its ID. */
const send = async (
  method: "POST" | "PUT",
  path: string,
  body: object,
  more: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const token = await stack.token({ org: "local", role: "admin" });
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...more };
  const url = `${stack.baseUrl}/v1/tenants/demo/${path}`;
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  expect(response.ok, response.ok ? "" : await response.clone().text()).toBe(true);
  const { id, executionId } = Created.parse(await response.json());
  return id ?? executionId ?? "";
};

/** Errors of all windows: uncaught ones, refusals of the Content-Security-Policy, requests to other origins. */
const errors: string[] = [];
afterEach(() => {
  expect(errors.splice(0)).toEqual([]);
});

const watch = (context: BrowserContext): void => {
  context.on("weberror", (error) => errors.push(error.error().message));
  context.on("console", (message) => {
    const isExpected = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isExpected) errors.push(message.text());
  });
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(stack.baseUrl) && !isSigned(url)) errors.push(`request to ${url}`);
  });
};

/** Returns whether a URL is one that the API signed for a file in the bucket. */
const isSigned = (url: string): boolean => {
  const { hostname, searchParams } = new URL(url);
  return hostname === "127.0.0.1" && searchParams.has("X-Amz-Signature");
};

const openContext = async (): Promise<BrowserContext> => {
  const context = await browser.newContext({ colorScheme: "light" });
  watch(context);
  return context;
};

const openPage = async (context: BrowserContext, path: string): Promise<Page> => {
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(`${stack.baseUrl}/console/${path}`);
  return page;
};

const openConsole = async (path = ""): Promise<Page> => openPage(await openContext(), path);

const signIn = async (page: Page, role = "Admin", user?: string): Promise<void> => {
  if (user !== undefined) await page.getByLabel("Email").fill(user);
  await page.getByLabel("Role").selectOption(role);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
};

/** The windows of an Admin, who signs in once for all tests. */
let admin: BrowserContext;

/** Returns a script for the browser that fills the `sessionStorage` of a new window. */
const restoreSession = (entries: readonly (readonly [string, string])[]): string => `
  if (location.protocol !== "about:" && sessionStorage.length === 0) {
    for (const [name, value] of ${JSON.stringify(entries)}) sessionStorage.setItem(name, value);
  }
`;

/** Signs in as an Admin, and makes further windows of the context start with that session. */
const signInAdmin = async (): Promise<BrowserContext> => {
  const page = await openConsole();
  await signIn(page);
  const session = await page.evaluate(() => Object.entries(sessionStorage));
  const context = page.context();
  await context.addInitScript(restoreSession(session));
  await page.close();
  return context;
};

/** Opens the console in another window of an Admin. */
const openAsAdmin = (path = ""): Promise<Page> => openPage(admin, path);

const rowMenu = async (page: Page, name: string, item: string): Promise<void> => {
  await page.getByRole("row", { name }).getByRole("button").click();
  await page.getByRole("menuitem", { name: item }).click();
};

const currentKey = async (key: string): Promise<number> => {
  const url = `${stack.baseUrl}/v1/tenants/demo/apiKeys/current`;
  return (await fetch(url, { headers: { "X-API-KEY": key } })).status;
};

test("an API key is created, shown once, rotated and revoked, and its history shows it", {
  tags: "nightly",
}, async () => {
  const page = await openConsole("t/demo/api-keys");
  await signIn(page);
  // The address that was opened is shown after the sign-in.
  await page.getByRole("button", { name: "Create API key" }).click();
  await page.getByRole("button", { name: "Create", exact: true }).click();
  // Problems of the API are shown at their fields.
  await page.getByText("Check the fields that are marked.").waitFor();
  await page.getByLabel("Name").fill("From the browser");
  await page.getByLabel("Preset").selectOption("Runner");
  await page.getByRole("button", { name: "Create", exact: true }).click();

  const secret = page.getByLabel("API key");
  await secret.waitFor();
  const first = await secret.inputValue();
  await expect(currentKey(first)).resolves.toBe(200);
  await page.getByRole("button", { name: "Done" }).click();
  await page.reload();
  await page.getByRole("row", { name: "From the browser" }).waitFor();
  expect(await page.content()).not.toContain(first);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain("token");

  await rowMenu(page, "From the browser", "Rotate");
  await page.getByLabel("Grace period").selectOption("0");
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  await secret.waitFor();
  const second = await secret.inputValue();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(currentKey(first)).resolves.toBe(401);
  await expect(currentKey(second)).resolves.toBe(200);

  await rowMenu(page, "From the browser", "Revoke");
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByRole("row", { name: "From the browser" }).waitFor({ state: "detached" });
  await expect(currentKey(second)).resolves.toBe(401);

  await page.getByLabel("Show revoked").check();
  await rowMenu(page, "From the browser", "History");
  for (const event of ["Revoked", "Rotated", "Issued"]) {
    await page.getByRole("row", { name: event }).waitFor();
  }
  await page.context().close();
});

test("an expired token is renewed; a session that cannot be renewed ends, and nothing typed is lost", {
  tags: "nightly",
}, async () => {
  const page = await openConsole("t/demo/api-keys");
  await signIn(page);
  await renewToken(page, stack);
  await page.goto(`${stack.baseUrl}/console/t/demo/agents/hello/flow?revision=1#main`);
  await signInAgain(page, stack);
  await signOut(page, stack);
  await page.context().close();
});

test("a sign-out at Cognito has the parameters of its logout endpoint, and the next sign-in prompts", {
  tags: "nightly",
}, async () => {
  const page = await openConsole();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  await signOutOfCognito(page, stack, signIn);
  await page.context().close();
});

test("the development server has one origin with API and issuer", async () => {
  vi.stubEnv("PORT", new URL(stack.baseUrl).port);
  const root = join(import.meta.dirname, "../../console");
  const server = await createServer({
    root,
    configFile: join(root, "vite.config.ts"),
    logLevel: "error",
    server: { host: "127.0.0.1", port: 0, ws: false },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    await server.listen();
    const origin = new URL(server.resolvedUrls?.local[0] ?? "").origin;
    const read = async (path: string) => (await fetch(`${origin}${path}`)).json();
    await expect(read("/console/config.json")).resolves.toMatchObject({ issuer: origin });
    await expect(read("/.well-known/openid-configuration")).resolves.toMatchObject({
      issuer: origin,
      token_endpoint: `${origin}/oauth2/token`,
    });
    await expect(read("/health")).resolves.toMatchObject({ status: "ok" });
  } finally {
    await server.close();
  }
});

test("a user is shown neither pages nor actions that the role does not have", async () => {
  const page = await openConsole();
  await signIn(page, "Read-only");
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "API keys" })
    .click();
  await page.getByRole("row", { name: "local runner" }).waitFor();
  expect(await page.getByRole("button", { name: "Create API key" }).count()).toBe(0);
  await page.getByRole("row", { name: "local runner" }).getByRole("button").click();
  await expect(page.getByRole("menuitem").allTextContents()).resolves.toEqual(["History"]);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: /^User / }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  await signIn(page, "Runner");
  expect(
    await page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("link", { name: "API keys" })
      .count(),
  ).toBe(0);
  // A user who may only run agents starts on the page for it. An ID may look like a number.
  await page.goto(`${stack.baseUrl}/console/t/demo?agent=42`);
  expect(await page.getByLabel("Agent ID").inputValue()).toBe("42");
  await page.getByLabel("Agent ID").fill("hello");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("heading", { name: "Execution of hello" }).waitFor();
  await page.getByText("Hello, ").first().waitFor();
  await page.context().close();
});

const revision = (value: string): string =>
  JSON.stringify({
    parametersMetadata: [{ name: "number", type: "Integer", required: true }],
    flow: { steps: [{ id: "output", type: "Output", value }], edges: [] },
  });

const writeRevision = async (page: Page, text: string): Promise<void> => {
  await writeJson(page, text);
  await page.getByRole("button", { name: "Save revision" }).click();
};

test("an agent is built, refused at its line, deployed, tried with streaming, and its execution shown", async () => {
  const page = await openAsAdmin("t/demo/agents");
  await page.getByRole("button", { name: "Create agent" }).click();
  await page.getByLabel("Name").fill("Doubler");
  await page.getByRole("button", { name: "Create", exact: true }).click();

  await page.getByRole("button", { name: "Add the first step" }).click();
  await page.getByRole("option", { name: "Output" }).click();
  await page.getByRole("group", { name: "Output output" }).waitFor();
  await writeRevision(page, revision("{% input.numbr * 2 %}"));
  await page.getByRole("alert").getByText("/flow/steps/0/value").waitFor();
  await page.locator(".cm-lintRange-error").first().waitFor();
  await writeRevision(page, revision("{% input.number * 2 %}"));

  await page.getByRole("button", { name: "Deploy" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Deploy" }).click();
  await page.getByText("Revision 1 deployed").waitFor();

  await openTryIt(page);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("is required").first().waitFor();
  await page.getByLabel("number").fill("21");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("42", { exact: true }).first().waitFor();

  await page.getByRole("link", { name: "Open execution" }).click();
  await page.getByLabel("Spans").getByRole("button", { name: "output" }).click();
  await page.getByText("Copy span output").waitFor();
  await page.close();
});

/** States that are pages of their own; those of dialogs and forms are checked by axe in the nightly run. */
const pageStates: readonly string[] = [
  "a template",
  "the conversation of a step",
  "the calls of an agent",
  "a connector",
  "an approval",
  "a conversation in Try it",
  "a delivery",
  "a session",
  "a webhook",
  "an experiment",
  "a guardrail",
  "config",
  "memories",
  "scores of an execution",
  "skill",
  "the graph of an execution",
];

const findsNothing = (page: Page) => async (name: string) => {
  if (!isNightly && !pageStates.includes(name)) return;
  expect(await findViolations(page), name).toEqual([]);
};

test("the home page leads to an agent from a template, its run, and a key that programs run it with", async () => {
  const page = await openAsAdmin("t/demo");
  const key = await startFromTemplate(page, findsNothing(page));
  const response = await fetch(`${stack.baseUrl}/v1/tenants/demo/agents/first-triage:execute`, {
    method: "POST",
    headers: { "X-API-KEY": key, "Content-Type": "application/json" },
    body: JSON.stringify({ input: { message: "Where is my invoice?" } }),
  });
  await expect(response.json()).resolves.toMatchObject({ output: { queue: "billing" } });
  await page.close();
});

test("a flow is built by fields and keyboard next to its JSON; refusals are shown at step, field and line", async () => {
  const page = await openAsAdmin("t/demo/agents");
  await buildFlow(page, findsNothing(page));
  await page.close();
});

test("the graph shows the state of every step and the iterations of a loop, in the editor too, where one step runs alone; 200 steps stay fluid", {
  tags: "nightly",
}, async () => {
  const page = await openAsAdmin("t/demo/agents/triage/try");
  await inspectLoopExecution(page, findsNothing(page));
  await page.goto(`${stack.baseUrl}/console/t/demo/agents/triage/flow`);
  await dragCase(page);
  await drawLargeFlow(page);
  await page.goto(`${stack.baseUrl}/console/t/demo/agents/hello/flow`);
  await runDraft(page, findsNothing(page));
  await page.close();
});

test("a webhook is created and runs an agent, its delivery is replayed, and ends the wait of another agent", {
  tags: "nightly",
}, async () => {
  await send("POST", "agents", { id: "ship", displayName: "Ship" });
  await send("POST", "agents/ship/revisions", { flow: shipFlow });
  const page = await openAsAdmin("t/demo/webhooks");
  const webhookId = await replayDelivery(page, findsNothing(page));
  const ofGithub = await send("POST", "webhooks", { provider: "github" });
  await page.goto(`${stack.baseUrl}/console/t/demo/webhooks/${ofGithub}`);
  await sendChosenEvent(page);
  await page.goto(`${stack.baseUrl}/console/t/demo/agents/ship/flow`);
  await waitForEvent(page, webhookId);
  await page.close();
});

test("approvals are built by fields, decided in place with other arguments, and on their page; then the run succeeds", {
  tags: "nightly",
}, async () => {
  await send("POST", "agents", { id: "pay", displayName: "Pay" });
  await send("POST", "agents/pay/revisions", { flow: payFlow });
  const page = await openAsAdmin("t/demo/agents/pay/flow");
  await decideInConsole(page, findsNothing(page));
  await page.close();
});

test("the consent that a tool needs is opened from its approval", { tags: "nightly" }, async () => {
  const document = { openapi: "3.1.0", paths: { "/me": { get: { operationId: "me" } } } };
  const configId = await send("POST", "integration-configs", {
    integrationId: "openapi",
    displayName: "Drive",
    parameters: { document: JSON.stringify(document), baseUrl: "https://api.example.com" },
    auth: {
      type: "oauth2",
      authorizationUrl: "https://login.example.com/authorize",
      tokenUrl: "https://login.example.com/token",
      clientId: "wharf",
    },
  });
  await send("POST", `integration-configs/${configId}:publish`, {});
  const step = { id: "me", type: "Tool", integrationId: "openapi", toolId: "me", configId };
  await send("POST", "agents", { id: "drive", displayName: "Drive" });
  await send("POST", "agents/drive/revisions", { flow: { steps: [step], edges: [] } });
  await send("POST", "agents/drive/revisions/1:deploy", {});
  await send("POST", "agents/drive:execute", { input: {} });
  const page = await openAsAdmin("t/demo/approvals");
  await openConsent(page, findsNothing(page));
  await page.close();
});

test("failures are handled by fields: of a model by a fallback from the provider's list, of steps by a value and an edge", {
  tags: "nightly",
}, async () => {
  const models = await startModelServer({ fallback: { status: 503 } });
  const provider = { id: "down", displayName: "Down", type: "openai-compatible", apiKey: "k" };
  await send("POST", "llm-providers", { ...provider, baseUrl: `${models.url}/v1` });
  await send("POST", "agents", { id: "handle", displayName: "Handle" });
  const parametersMetadata = [{ name: "question", type: "String", required: true }];
  await send("POST", "agents/handle/revisions", { parametersMetadata, flow: failingFlow });
  const page = await openAsAdmin("t/demo/agents/handle/flow");
  await handleFailures(page, findsNothing(page));
  await page.close();
  await models.close();
});

test("a run of a draft shows its text while the model writes it; Stop cancels a run, and what it wrote stays", {
  tags: "nightly",
}, async () => {
  const models = await startModelServer();
  const provider = { id: "paced", displayName: "Paced", type: "openai-compatible", apiKey: "k" };
  await send("POST", "llm-providers", { ...provider, baseUrl: `${models.url}/v1` });
  await send("POST", "agents", { id: "paced", displayName: "Paced" });
  await send("POST", "agents/paced/revisions", pacedRevision);
  const page = await openAsAdmin("t/demo/agents/paced/flow");
  await readGrowingText(page, models);
  await page.reload();
  await stopDraft(page, models);
  await page.close();
  await models.close();
});

test("files are refused, uploaded and run with, their images are shown, and one is downloaded; a deleted one is shown as such", {
  tags: "nightly",
}, async () => {
  await send("POST", "agents", { id: "look", displayName: "Look" });
  await send("POST", "agents/look/revisions", fileRevision);
  await send("POST", "agents/look/revisions/1:deploy", {});
  const page = await openAsAdmin("t/demo/agents/look/try");
  const [photo] = await runWithFiles(page, findsNothing(page));
  await openExecutionWithFiles(page, findsNothing(page), async () => {
    const token = await stack.token({ org: "local", role: "admin" });
    const headers = { Authorization: `Bearer ${token}` };
    const url = `${stack.baseUrl}/v1/tenants/demo/files/${photo}`;
    expect((await fetch(url, { method: "DELETE", headers })).status).toBe(204);
  });
  await page.goto(`${stack.baseUrl}/console/t/demo/agents/look/flow`);
  await editFileMembers(page);
  await page.close();
});

test("a guardrail is created, tried, restored and named for all agents; one that an agent names blocks without showing the content", {
  tags: "nightly",
}, async () => {
  await send("POST", "agents", { id: "projects", displayName: "Projects" });
  await send("POST", "agents/projects/revisions", numberRevision);
  const page = await openAsAdmin("t/demo/guardrails");
  await manageGuardrail(page, findsNothing(page));
  await page.goto(`${stack.baseUrl}/console/t/demo/agents/projects/flow`);
  await runBlocked(page, findsNothing(page));
  await page.close();
});

test("an agent is made to remember; a conversation with it is kept as a session, shown and deleted, and so are its memories", {
  tags: "nightly",
}, async () => {
  await send("POST", "agents", { id: "talk", displayName: "Talk" });
  await send("POST", "agents/talk/revisions", talkRevision);
  const page = await openAsAdmin("t/demo/agents/talk/flow");
  const webhook = await send("POST", "webhooks", { provider: "generic" });
  await converse(page, findsNothing(page), `/console/t/demo/webhooks/${webhook}`);
  await page.close();
});

test("a connector is created, and the access request of its first message is approved", {
  tags: "nightly",
}, async () => {
  const page = await openAsAdmin("t/demo/connectors");
  await approveChatUser(page, findsNothing(page));
  await page.close();
});

const failure = {
  scorer: "concise",
  failedThisMonth: 3,
  lastFailedAt: 1_795_340_400_000,
  executionId: "0193f0a0-7c4b-7000-8000-000000000001",
  detail: "The expression failed.",
};

/** Adds a failure to an online evaluation that is read. */
const withFailure = async (route: Route): Promise<void> => {
  const response = await route.fetch();
  if (route.request().method() !== "GET" || !response.ok()) return route.fulfill({ response });
  await route.fulfill({ response, json: { ...(await response.json()), failures: [failure] } });
};

/** Sets, changes and removes the online evaluation of an agent. Starts at its tab "Cost". */
const manageOnlineEvaluation = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Set online evaluation" }).click();
  await page.getByRole("combobox", { name: "Scorers" }).click();
  // Scorers that compare with an expected output are not offered.
  const offered = page.getByRole("listbox", { name: "Scorers" }).getByRole("option");
  await expect.poll(() => offered.allTextContents()).toEqual(["Concise"]);
  await offered.click();
  await page.getByLabel("Sample rate").fill("10");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Check the fields that are marked.").waitFor();
  await findsNothing(page)("an online evaluation that is refused");
  await page.getByLabel("Sample rate").fill("0.25");
  await page.getByRole("button", { name: "Save" }).click();
  const card = page.getByRole("region", { name: "Online evaluation" });
  await card.getByText("25% of the succeeded executions").waitFor();
  await card.getByText("0 of at most 1,000 this month").waitFor();
  await card.getByRole("list", { name: "Rated by" }).getByText("Concise").waitFor();
  await page.route(/\/online-evaluation$/, withFailure);
  await card.getByRole("button", { name: "Edit online evaluation" }).click();
  await page.getByLabel("Monthly limit").fill("20");
  await page.getByRole("button", { name: "Save" }).click();
  await card.getByText("0 of at most 20 this month").waitFor();
  await card.getByText("Concise: 3 this month").waitFor();
  await card.getByText("The expression failed.").waitFor();
  const execution = await card.getByRole("link", { name: "Open execution" }).getAttribute("href");
  expect(execution).toContain(`/executions/hello/${failure.executionId}`);
  await findsNothing(page)("an online evaluation with a failure");
  await card.getByRole("button", { name: "Remove online evaluation" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await card.getByRole("button", { name: "Set online evaluation" }).waitFor();
};

test("an agent gets a budget, an online evaluation, a collaborator and a schedule, which is deployed and rolled back", {
  tags: "nightly",
}, async () => {
  await send("POST", "scorers", { displayName: "Same output", type: "Exact" });
  const concise = { displayName: "Concise", type: "Expression", value: "1" };
  await send("POST", "scorers", { id: "concise", ...concise });
  const page = await openAsAdmin("t/demo/agents/hello/cost");
  await page.getByRole("button", { name: "Set budget" }).click();
  await page.getByLabel("Amount").fill("50");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("of $50.00 used this month").waitFor();

  await manageOnlineEvaluation(page);

  await page.getByRole("tab", { name: "Collaborators" }).click();
  await page.getByRole("button", { name: "Invite collaborator" }).click();
  await page.getByLabel("Email address").fill("Ada@example.com");
  await page.getByLabel("Role").selectOption("Viewer");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await page.getByRole("row", { name: "ada@example.com Viewer Invited" }).waitFor();

  await page.getByRole("tab", { name: "Schedules" }).click();
  await page.getByRole("button", { name: "Add schedule" }).click();
  await page.getByLabel("Frequency").selectOption("weekly");
  await page.getByLabel("Hour").fill("25");
  await page.getByRole("button", { name: "Save revision" }).click();
  await page.getByText("Check the fields that are marked.").waitFor();
  await page.getByLabel("Hour").fill("9");
  await page.getByLabel("Time zone").fill("Europe/Berlin");
  await page.getByRole("button", { name: "Save revision" }).click();
  await page.getByText("Every Monday at 09:00 (Europe/Berlin)").waitFor();

  await page.getByRole("tab", { name: "Revisions" }).click();
  await page.getByRole("button", { name: "Compare revisions" }).click();
  await page.getByText("Schedule ").first().waitFor();
  await page.getByRole("tab", { name: "JSON" }).click();
  await page.getByText('"scheduleFrequency": "weekly"').waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Deploy", exact: true }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Deploy" }).click();
  await page.getByRole("button", { name: "Deploy (roll back)" }).last().click();
  await page.getByRole("dialog").getByText("It replaces revision").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Deploy" }).click();
  await page.getByRole("button", { name: "Deploy", exact: true }).first().waitFor();
  await page.close();
});

test("examples are imported and edited in place; an execution is scored and becomes an example", {
  tags: "nightly",
}, async () => {
  const page = await openAsAdmin("t/demo/agents");
  await importDataset(page, findsNothing(page));
  await send("POST", "agents/hello:execute", { input: { name: "Ada" } });
  await page.goto(`${stack.baseUrl}/console/t/demo/executions?agent=hello`);
  await scoreExecution(page, findsNothing(page));
  await page.close();
});

test("two revisions are compared on a dataset; one is deployed only after it reached the required results", {
  tags: "nightly",
}, async () => {
  for (const [path, resource] of experimentResources) await send("POST", path, resource);
  const page = await openAsAdmin("t/demo/agents");
  await runExperiment(page, findsNothing(page));
  await page.goto(`${stack.baseUrl}/console/t/demo/agents/desk/revisions`);
  await deployWithRequirements(page, findsNothing(page));
  await page.close();
});

test("skills, models, tools and assets are made, changed and tried", {
  tags: "nightly",
}, async () => {
  await send("POST", "webhooks", { provider: "github", externalContext: "acme/handbook" });
  const page = await openAsAdmin("t/demo/skills");
  const check = findsNothing(page);
  for (const go of [manageSkill, manageProvider, manageIntegration, connectAccount, manageAsset]) {
    await go(page, check);
  }
  await page.close();
});

const pages = [
  { path: "t/demo/", heading: "Home" },
  { path: "t/demo/templates", heading: "Templates" },
  { path: "t/demo/agents", heading: "Agents" },
  { path: "t/demo/agents/triage/flow", heading: "Triage" },
  { path: "t/demo/agents/triage/revisions", heading: "Triage" },
  { path: "t/demo/agents/triage/try", heading: "Triage" },
  { path: "t/demo/agents/triage/sessions", heading: "Triage" },
  { path: "t/demo/agents/triage/memories", heading: "Triage" },
  { path: "t/demo/agents/triage/cost", heading: "Triage" },
  { path: "t/demo/agents/triage/collaborators", heading: "Triage" },
  { path: "t/demo/agents/triage/connectors", heading: "Triage" },
  { path: "t/demo/agents/triage/schedules", heading: "Triage" },
  { path: "t/demo/executions", heading: "Executions" },
  { path: "t/demo/approvals", heading: "Approvals" },
  { path: "t/demo/webhooks", heading: "Webhooks" },
  { path: "t/demo/connectors", heading: "Connectors" },
  { path: "t/demo/access-requests", heading: "Access requests" },
  { path: "t/demo/knowledge", heading: "Knowledge" },
  { path: "t/demo/knowledge/assets/handbook", heading: "Handbook" },
  { path: "t/demo/datasets", heading: "Datasets" },
  { path: "t/demo/experiments", heading: "Experiments" },
  { path: "t/demo/skills", heading: "Skills" },
  { path: "t/demo/integrations", heading: "Integrations" },
  { path: "t/demo/models", heading: "Models" },
  { path: "t/demo/api-keys", heading: "API keys" },
  { path: "t/demo/members", heading: "Members" },
  { path: "t/demo/guardrails", heading: "Guardrails" },
  { path: "t/demo/usage?groupBy=agent&measure=executions", heading: "Usage" },
];

test("a user who may only read sees no forbidden action, and no refusal", {
  tags: "nightly",
}, async () => {
  const page = await openConsole();
  await signIn(page, "Read-only");
  await openPagesAsViewer(page, pages);
  await page.context().close();
});

test("an Admin who is a Viewer at an agent may only read there", { tags: "nightly" }, async () => {
  const user = "viewer@example.com";
  const execution = await send("POST", "agents/triage:execute", { input: {} });
  await send("PUT", `agents/triage/collaborators/${user}`, { role: "Viewer" });
  const webhook = await send("POST", "webhooks", { provider: "generic" });
  for (const subscriberId of ["triage", "hello"]) {
    const subscription = { subscriberType: "Agent", subscriberId };
    await send("POST", `webhooks/${webhook}/subscriptions`, subscription);
  }
  const page = await openConsole();
  await signIn(page, "Admin", user);
  const ofTheAgent = pages.filter(({ path }) => path.startsWith("t/demo/agents/triage/"));
  await openPagesAsViewer(page, ofTheAgent, loadPage);
  expect(await page.getByRole("tab", { name: "Try it" }).count()).toBe(0);
  await page.goto(`${stack.baseUrl}/console/t/demo/agents/hello/flow`);
  await page.getByRole("tab", { name: "Try it" }).waitFor();
  await page.getByRole("button", { name: "Add step" }).waitFor();
  // A subscription runs its agent, so changing it needs the same role as running the agent.
  await page.goto(`${stack.baseUrl}/console/t/demo/webhooks/${webhook}`);
  for (const [agent, actions] of [
    ["hello", ["Edit", "Delete"]],
    ["triage", ["Delete"]],
  ] as const) {
    const row = page.getByRole("row", { name: `Agent ${agent}` });
    await expect.poll(() => row.getByRole("button").count()).toBe(1);
    await row.getByRole("button").click();
    await expect.poll(() => page.getByRole("menuitem").allTextContents()).toEqual(actions);
    await page.keyboard.press("Escape");
  }
  await page.getByRole("button", { name: "Add subscription" }).click();
  await page.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: "Hello" }).waitFor();
  expect(await page.getByRole("option", { name: "Triage", exact: true }).count()).toBe(0);
  // Scores need the role of an Editor, too.
  await page.goto(`${stack.baseUrl}/console/t/demo/executions/triage/${execution}`);
  await page.getByText("This execution has no scores yet.").waitFor();
  await page.getByRole("button", { name: "Add to dataset" }).waitFor();
  for (const name of ["Thumbs up", "Add score", "Feedback link"]) {
    expect(await page.getByRole("button", { name }).count()).toBe(0);
  }
  await page.context().close();
});

test("a Builder, who may not run agents, may subscribe assets alone to a webhook", async () => {
  const webhook = await send("POST", "webhooks", { provider: "generic" });
  const page = await openConsole(`t/demo/webhooks/${webhook}`);
  await signIn(page, "Builder");
  await page.getByRole("button", { name: "Add subscription" }).click();
  const offered = page.getByLabel("Subscriber").getByRole("option");
  await expect
    .poll(() => offered.allTextContents())
    .toEqual(["Asset: a delivery starts a sync of it"]);
  await page.getByRole("combobox", { name: "Asset" }).click();
  await page.getByRole("option", { name: "Handbook" }).click();
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("row", { name: "Asset handbook" }).waitFor();
  await page.context().close();
});

test("failures are found by their error over all agents, saved as a view and run again; the command palette leads on", {
  tags: "nightly",
}, async () => {
  const error = `no stock of ${crypto.randomUUID()}`;
  const parametersMetadata = [{ name: "order", type: "String" }];
  const steps = [{ id: "check", type: "Transform", value: `{% $error("Found ${error}") %}` }];
  for (const id of ["breaks-a", "breaks-b"]) {
    await send("POST", "agents", { id, displayName: id });
    await send("POST", `agents/${id}/revisions`, {
      parametersMetadata,
      flow: { steps, edges: [] },
    });
    await send("POST", `agents/${id}/revisions/1:deploy`, {});
    const body = { input: { order: `Order of ${id}` } };
    await send("POST", `agents/${id}:execute`, body, { Prefer: "respond-async" });
  }
  const page = await openAsAdmin("t/demo/executions");
  await exploreExecutions(page, error);
  await page.close();
});

const Listed = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) });

/** Offers the built-in models only. Providers of other tests have no default model. */
const withoutProviders = async (route: Route): Promise<void> => {
  const response = await route.fetch();
  const { items, ...others } = Listed.parse(await response.json());
  await route.fulfill({
    response,
    json: { ...others, items: items.filter(({ id }) => id === "echo") },
  });
};

test("the jobs of the documentation take the clicks that its table has", {
  tags: "nightly",
}, async () => {
  const isAsync = { Prefer: "respond-async" };
  for (const [path, body] of countedResources) {
    await send("POST", path, body, path.endsWith(":execute") ? isAsync : {});
  }
  const experiment = await send("POST", "experiments", countedExperiment);
  const page = await openAsAdmin(`t/demo/experiments/${experiment}`);
  await page.getByText("Succeeded", { exact: true }).first().waitFor();
  await page.route(/\/llm-providers(\?|$)/, withoutProviders);
  const counts: Record<string, number> = {};
  for (const [job, run] of Object.entries(clickedJobs)) {
    await page.goto(`${stack.baseUrl}/console/t/demo`);
    await page.getByRole("region", { name: "Cost this month" }).waitFor();
    counts[job] = await countClicks(page, run);
  }
  await page.close();
  expect(counts).toEqual(readClickTable());
});

const maxStartBytes = 200_000;

test(`the console starts with at most ${maxStartBytes} bytes of JavaScript, which the local server compresses`, async () => {
  const html = await (await fetch(`${stack.baseUrl}/console/`)).text();
  const paths = [...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path]) => path);
  expect(paths.length).toBeGreaterThan(0);
  const sizes = paths.map(async (path) => {
    const headers = { "Accept-Encoding": "gzip" };
    const response = await fetch(`${stack.baseUrl}${path}`, { headers });
    const bytes = Number(response.headers.get("content-length"));
    // Small files are sent as they are.
    if (bytes > 1_400) expect(response.headers.get("content-encoding")).toBe("gzip");
    return bytes;
  });
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(maxStartBytes);
});

test("every page shows why its reads failed, repeats them on request, and leads to the other pages", {
  tags: "nightly",
}, async () => {
  const page = await openAsAdmin("t/demo/skills");
  await openPagesWithoutReads(page);
  await page.close();
});

const hasLoweredColors = `[...document.styleSheets].some(({ cssRules }) =>
  [...cssRules].some(({ cssText }) => cssText.includes("--lightningcss")),
)`;

test("axe finds nothing on the pages, light or dark in turn", { tags: "nightly" }, async () => {
  const page = await openAsAdmin();
  for (const [at, { path, heading }] of pages.entries()) {
    // Every page in both schemes, and at two widths, is checked by npm run screens.
    const colorScheme = at % 2 === 0 ? "light" : "dark";
    await page.emulateMedia({ colorScheme });
    await showPage(page, path, heading);
    expect(await findViolations(page), `${path} ${colorScheme}`).toEqual([]);
    // A light-dark() that the build lowers is invalid in a custom property: edges of a graph had no colour.
    expect(await page.evaluate(hasLoweredColors), path).toBe(false);
  }
  await page.close();
});
