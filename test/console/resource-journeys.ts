import type { Page } from "playwright-core";
import { expect } from "vitest";

type Check = (name: string) => Promise<void>;

const markdown = `---
name: pdf-forms
description: Fills in PDF forms.
allowed-tools: calculate Read
---
Ask for every field that is missing. See [the fields](fields.md).
`;

const confirm = (page: Page, name: string): Promise<void> =>
  page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

/** Chooses an item of a row's menu; the menu of another row may still be closing. */
const rowMenu = async (page: Page, name: string, item: string): Promise<void> => {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  const menu = page.getByRole("menu", { name: `Actions for ${name}` });
  await menu.getByRole("menuitem", { name: item }).click();
  // The menu fades out; axe would check it without its landmark.
  await menu.waitFor({ state: "hidden" });
};

/** Creates a skill from a SKILL.md, changes it and deletes it. */
export const manageSkill = async (page: Page, check: Check): Promise<void> => {
  await page.getByText("No skills yet").waitFor();
  await page.getByRole("button", { name: "Create skill" }).click();
  await page.getByLabel("Markdown").fill(markdown);
  await page.getByLabel("File", { exact: true }).fill("pdf-forms/SKILL.md");
  await confirm(page, "Continue");
  await page.getByText("Removed or corrected").waitFor();
  expect(await page.getByLabel("ID", { exact: true }).inputValue()).toBe("pdf-forms");
  expect(await page.getByLabel("Asset of resource 1").inputValue()).toBe("fields.md");
  await check("draft of a skill");
  await confirm(page, "Create");

  await page.getByRole("heading", { name: "Pdf Forms", level: 1 }).waitFor();
  await page.getByLabel("Instructions").fill("");
  await page.getByLabel("Description").fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Check the fields that are marked.").waitFor();
  await page.getByLabel("Description").fill("Fills in all forms.");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The next execution uses it.").waitFor();
  await check("skill");

  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Skills" })
    .click();
  await page.getByRole("row", { name: "Fills in all forms." }).waitFor();
  await rowMenu(page, "Pdf Forms", "Delete");
  await confirm(page, "Delete");
  await page.getByText("No skills yet").waitFor();
};

/** Creates a model provider with a key, which is never shown, and tests the built-in one. */
export const manageProvider = async (page: Page, check: Check): Promise<void> => {
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Models" })
    .click();
  await page.getByRole("button", { name: "Create provider" }).click();
  await page.getByLabel("Name").fill("Our models");
  await page.getByLabel("API key").fill("a-key-of-models");
  await check("new provider");
  await confirm(page, "Create");
  await rowMenu(page, "Our models", "Edit");
  expect(await page.getByLabel("API key").inputValue()).toBe("");
  await confirm(page, "Cancel");

  await rowMenu(page, "Echo", "Test");
  await page.getByLabel("Prompt").fill("How are you?");
  await confirm(page, "Send prompt");
  await page.getByText("Input tokens").waitFor();
  await check("test of a provider");
  await confirm(page, "Cancel");
};

const petstore = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "https://pets.example.com" }],
  paths: {
    "/pets": { get: { operationId: "listPets", summary: "Lists pets" } },
    "/pets/{petId}": {
      get: {
        operationId: "getPet",
        parameters: [{ name: "petId", in: "path", required: true, schema: { type: "string" } }],
      },
    },
  },
});

/** Makes tools of an OpenAPI document, offers them by MCP, and runs a tool. */
export const manageIntegration = async (page: Page, check: Check): Promise<void> => {
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Integrations" })
    .click();
  await page.getByRole("button", { name: "Add OpenAPI" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Pets");
  await page.getByLabel("Document", { exact: true }).fill(petstore);
  await check("new config");
  await confirm(page, "Create");
  await page.getByRole("row", { name: "listPets" }).waitFor();
  await page.getByRole("row", { name: "getPet" }).getByRole("button").click();
  await confirm(page, "Run");
  await page.getByRole("dialog").getByRole("alert").waitFor();
  await confirm(page, "Cancel");

  await page.getByRole("button", { name: "Turn on" }).click();
  const key = await page.getByLabel("MCP key").inputValue();
  expect(key).toContain("_live_");
  await page.getByRole("button", { name: "Done" }).click();
  await page.reload();
  await page.getByLabel("Server address").waitFor();
  expect(await page.content()).not.toContain(key);
  await check("config");

  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Integrations" })
    .click();
  await page.getByRole("link", { name: "Tools of System" }).click();
  await page.getByRole("button", { name: "Run Calculate" }).click();
  await page.getByLabel("Expression").fill("6 * 7");
  await confirm(page, "Run");
  await page.getByText("42", { exact: true }).waitFor();
  await check("result of a tool");
  await confirm(page, "Cancel");
};

/** Enters the OAuth 2 settings of a config. Its authorization server is never called. */
const enterOAuth = async (page: Page, check: Check): Promise<void> => {
  await page.getByRole("button", { name: "Add OpenAPI" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Drive");
  await page.getByLabel("Document", { exact: true }).fill(petstore);
  await page.getByLabel("Base URL").fill("https://api.example.com");
  await page.getByLabel("Use OAuth 2").check();
  const redirectUrl = page.getByLabel("Redirect URL");
  const { origin } = new URL(page.url());
  await expect.poll(() => redirectUrl.inputValue()).toBe(`${origin}/v1/oauth/callback`);
  await page.getByLabel("Authorization URL").fill("https://login.example.com/authorize");
  await page.getByLabel("Client ID").fill("wharf");
  await page.getByLabel("Client secret").fill("a-client-secret");
  await page.getByLabel("Bind tokens to a key (DPoP)").check();
  // The way of a secret gives place to the audience of assertions.
  await page.getByLabel("Private key").fill("a-text");
  await page.getByLabel("Assertion audience").selectOption("endpoint");
  await page.getByLabel("Private key").fill("");
  await page.getByLabel("Client authentication").selectOption("post");
  // The members of other grants are not sent.
  await page.getByLabel("Grant").selectOption("jwt-bearer");
  await page.getByLabel("Assertion key").fill("a-text");
  await page.getByLabel("Key ID").fill("key-1");
  await page.getByLabel("Claims").waitFor();
  await check("claims of an assertion");
  await page.getByLabel("Grant").selectOption("id-jag");
  await page.getByLabel("Identity provider", { exact: true }).fill("https://company.example.com");
  await page.getByLabel("Client ID at the identity provider").fill("wharf");
  await page.getByText("Register this URL for the client at the identity provider.").waitFor();
  await check("identity provider of a config");
  await page.getByLabel("Grant").selectOption("authorization_code");
  await page.getByRole("combobox", { name: "Scopes" }).fill("files.read");
  await confirm(page, "Create");
  // Problems of the API are shown at their fields.
  const refused = page.locator('[aria-invalid="true"]');
  await refused.and(page.getByLabel("Token URL")).waitFor();
  await page.getByText('is required, or "Issuer"').waitFor();
  await check("OAuth 2 of a config");
  await page.getByLabel("Token URL").fill("https://login.example.com/token");
  await confirm(page, "Create");
};

const editDrive = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Actions for Drive" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
};

const publish = async (page: Page, revision: number): Promise<void> => {
  await page.getByRole("button", { name: `Publish revision ${revision}` }).click();
  await page.getByText(`Published revision ${revision}.`).waitFor();
};

/** Changes another setting of the config: its OAuth 2 settings stay. */
const keepOAuth = async (page: Page): Promise<void> => {
  await editDrive(page);
  expect(await page.getByLabel("Token URL").inputValue()).toBe("https://login.example.com/token");
  expect(await page.getByLabel("Client secret").inputValue()).toBe("********");
  expect(await page.getByLabel("Private key").inputValue()).toBe("");
  expect(await page.getByLabel("Bind tokens to a key (DPoP)").isChecked()).toBe(true);
  await page.getByLabel("Owner").selectOption("endUser");
  await confirm(page, "Save");
  await publish(page, 2);
  await editDrive(page);
  expect(await page.getByLabel("Issuer").inputValue()).toBe("");
  expect(await page.getByLabel("Owner").inputValue()).toBe("endUser");
  await confirm(page, "Cancel");
};

/** Expects that an action opens the page of a consent, which is not given. */
const opensConsent = async (page: Page, act: () => Promise<void>): Promise<void> => {
  const [consent] = await Promise.all([page.waitForEvent("popup"), act()]);
  await consent.getByRole("button", { name: "Continue" }).waitFor();
  await consent.close();
};

/** Opens the page of a consent again, and disconnects the account. */
const connectAgain = async (page: Page, name: string | RegExp): Promise<void> => {
  const row = page.getByRole("row", { name });
  const choose = async (item: string): Promise<void> => {
    await row.getByRole("button").click();
    const menu = page.getByRole("menu");
    await menu.getByRole("menuitem", { name: item, exact: true }).click();
    await menu.waitFor({ state: "hidden" });
  };
  await opensConsent(page, () => choose("Connect"));
  await choose("Disconnect");
  await confirm(page, "Disconnect");
  await row.waitFor({ state: "detached" });
};

/** Connects the accounts of an end user and of the caller. */
const connectPeople = async (page: Page, check: Check): Promise<void> => {
  const connect = page.getByRole("button", { name: "Connect an account" });
  await opensConsent(page, () => connect.click());
  await page.getByLabel("End user").fill("ada");
  await opensConsent(page, () => connect.click());
  await page.getByRole("row", { name: "End user ada Pending" }).waitFor();
  await check("connections of people");
  await connectAgain(page, /^User \S+ Pending/);
  await connectAgain(page, "End user ada Pending");
};

/** Connects an account without a person: the server is not reached, and the list shows the connection nevertheless. */
const connectClient = async (page: Page): Promise<void> => {
  await editDrive(page);
  await page.getByLabel("Grant").selectOption("client_credentials");
  await confirm(page, "Save");
  await publish(page, 3);
  await page.getByText("The first call of a tool connects the account.").waitFor();
  await page.getByRole("button", { name: "Connect an account" }).click();
  await page.getByRole("main").getByRole("alert").waitFor();
  await page.getByRole("row", { name: "This tenant" }).getByRole("button").click();
  await page.getByRole("menuitem", { name: "Disconnect" }).waitFor();
  expect(await page.getByRole("menuitem", { name: "Connect", exact: true }).count()).toBe(0);
  await page.getByRole("menuitem", { name: "Disconnect" }).click();
  await confirm(page, "Disconnect");
  await page.getByText("No accounts connected").waitFor();
};

/** Enters OAuth 2 settings, opens pages of consents from the config's page, and disconnects again. */
export const connectAccount = async (page: Page, check: Check): Promise<void> => {
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Integrations" })
    .click();
  await enterOAuth(page, check);
  await page.getByText("No accounts connected").waitFor();
  await keepOAuth(page);
  await connectPeople(page, check);
  await connectClient(page);
  await editDrive(page);
  await page.getByLabel("Grant").selectOption("authorization_code");
  await page.getByLabel("Owner").selectOption("tenant");
  await confirm(page, "Save");
  await publish(page, 4);
  await opensConsent(page, () => page.getByRole("button", { name: "Connect an account" }).click());
  await page.getByRole("row", { name: "This tenant Pending" }).waitFor();
  await check("connections");
  await connectAgain(page, "This tenant Pending");
  await page.getByText("No accounts connected").waitFor();
};
