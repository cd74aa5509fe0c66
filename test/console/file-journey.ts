import { readFile } from "node:fs/promises";
import type { Page, Route } from "playwright-core";
import { expect } from "vitest";
import { addStep, openJson } from "./editor-actions.ts";

type Check = (name: string) => Promise<void>;

const accept = ["image/*"];

/** An agent that returns the files of its inputs. */
export const fileRevision = {
  parametersMetadata: [
    { name: "photo", type: "File", accept, maxBytes: 1_000_000, required: true },
    { name: "papers", type: "File", multiple: true },
  ],
  flow: {
    steps: [
      { id: "result", type: "Output", value: "{% {'first': input.photo, 'all': input.papers} %}" },
    ],
    edges: [],
  },
};

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const buildFile = (name: string, mimeType: string, content: string | Buffer) => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
});

/** More than one request can have. */
const large = Buffer.alloc(5 * 1_024 * 1_024, "large ");

/** Drops a text file on the area of an input, as a user does. */
const dropFile = async (page: Page, label: string, name: string, content: string) => {
  const dataTransfer = await page.evaluateHandle(
    `(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}));
      return transfer;
    })()`,
  );
  const area = page.getByRole("region", { name: `Upload for ${label}` });
  await area.dispatchEvent("dragover", { dataTransfer });
  await area.dispatchEvent("drop", { dataTransfer });
};

const readWidth = (page: Page, name: string) =>
  page
    .getByRole("img", { name })
    .first()
    .evaluate((image) => Reflect.get(image, "naturalWidth"));

/** Runs an agent with files, and downloads one from its output. Starts at its tab "Try it". Returns the ids of the files. */
export const runWithFiles = async (page: Page, check: Check): Promise<string[]> => {
  const form = page.locator("form");
  const chosen = (label: string) => form.getByRole("list", { name: `Files of ${label}` });
  const photo = page.getByLabel("photo", { exact: true }).and(page.locator("input"));
  await photo.setInputFiles(buildFile("notes.txt", "text/plain", "No image"));
  await form
    .getByRole("alert")
    .getByText("is of the type text/plain. Accepted are image/*.")
    .waitFor();
  await photo.setInputFiles(buildFile("big.png", "image/png", Buffer.alloc(1_000_001, 1)));
  await form.getByRole("alert").getByText("has more than 976.6 KB.").waitFor();
  await check("files that are refused");
  await form.getByRole("button", { name: "Remove notes.txt" }).click();
  await form.getByRole("button", { name: "Remove big.png" }).click();
  expect(await form.getByRole("alert").count()).toBe(0);

  await photo.setInputFiles(buildFile("cat.png", "image/png", Buffer.from(png, "base64")));
  await chosen("photo").getByText("70 B, image/png").waitFor();
  await expect.poll(() => readWidth(page, "cat.png")).toBe(1);

  const papers = page.getByLabel("papers", { exact: true }).and(page.locator("input"));
  const held = Promise.withResolvers<void>();
  const hold = async (route: Route): Promise<void> => {
    await held.promise;
    await route.continue();
  };
  await page.route(/X-Amz-Signature/, hold, { times: 1 });
  await papers.setInputFiles(buildFile("large.txt", "text/plain", large));
  await form.getByText("Adding large.txt…").waitFor();
  // A run waits for the files of its inputs.
  await expect.poll(() => form.getByRole("button", { name: "Run" }).isDisabled()).toBe(true);
  await check("a file that is being uploaded");
  held.resolve();
  await dropFile(page, "papers", "order.csv", "Lamps,3\n");
  await chosen("papers").getByText("5.0 MB, text/plain").waitFor();
  await chosen("papers").getByText("8 B, text/csv").waitFor();

  // Stored files are added by their ids, others by their addresses.
  const reference = form.getByLabel("URL or ID for papers");
  await reference.fill("a photo");
  await reference.press("Enter");
  await form.getByText("Enter a URL that starts with https://").waitFor();
  await reference.fill("https://example.com/a.pdf");
  await form.getByRole("button", { name: "Add to papers" }).click();
  await chosen("papers").getByText("https://example.com/a.pdf").waitFor();
  await form.getByRole("button", { name: "Remove https://example.com/a.pdf" }).click();
  expect(await chosen("papers").getByRole("listitem").count()).toBe(2);
  await check("files of inputs");

  await page.getByRole("button", { name: "Run", exact: true }).click();
  const output = page.getByRole("list", { name: "Files of output" });
  await output.getByText("cat.png").waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    output.getByRole("button", { name: "Download large.txt" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("large.txt");
  expect((await readFile(await download.path())).equals(large)).toBe(true);
  const text = await page.getByLabel("Output", { exact: true }).textContent();
  return [...(text ?? "").matchAll(/"id": "(?<id>[^"]+)"/g)].map(({ groups }) => groups?.id ?? "");
};

/** Opens the execution of the run, of which one file is deleted meanwhile. */
export const openExecutionWithFiles = async (
  page: Page,
  check: Check,
  deleteFile: () => Promise<void>,
): Promise<void> => {
  await page.getByRole("link", { name: "Open execution" }).click();
  const input = page.getByRole("list", { name: "Files of input" });
  await expect.poll(() => input.getByRole("button", { name: /^Download / }).count()).toBe(3);
  await deleteFile();
  await page.reload();
  await input.getByText("This file was deleted or has expired, or you may not read it.").waitFor();
  expect(await input.getByRole("button", { name: /^Download / }).count()).toBe(2);
  expect(await page.getByRole("img", { name: "cat.png" }).count()).toBe(0);
  await check("an execution with files");
};

/** Edits an input of the type File, and the files of a Prompt. Starts at the tab "Flow". */
export const editFileMembers = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Add input" }).click();
  await page.getByLabel("Input 3", { exact: true }).fill("scan");
  await page.getByLabel("Type of input 3").selectOption("File");
  const types = page.getByRole("combobox", { name: "Media types of input 3" });
  await types.fill("application/pdf");
  await types.press("Enter");
  await page.getByLabel("Max bytes of input 3").fill("2000");
  await page.getByLabel("Several files for input 3").check();
  const json = await openJson(page);
  await json.getByText('"maxBytes": 2000').first().waitFor();
  await expect.poll(() => json.textContent()).toMatch(/"accept": \[\s+"application\/pdf"\s+\]/);
  await page.getByLabel("Type of input 3").selectOption("String");
  await expect.poll(() => json.textContent()).not.toContain('"maxBytes": 2000');

  await addStep(page, "Prompt");
  await page.getByRole("button", { name: "Add file" }).click();
  await page.getByRole("textbox", { name: "File 1" }).getByText("{% input.photo %}").waitFor();
  await page.getByRole("button", { name: "Add file" }).click();
  await page.getByRole("textbox", { name: "File 2" }).getByText("{% input.papers %}").waitFor();
  await page.getByRole("button", { name: "Remove file 1" }).click();
  await page.getByRole("textbox", { name: "File 2" }).waitFor({ state: "detached" });
  await expect
    .poll(async () => (await openJson(page)).textContent())
    .toMatch(/"files": \[\s+"{% input.papers %}"\s+\]/);
};
