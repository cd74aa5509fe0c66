import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import {
  buildVendorRegistries,
  vendorParts,
  vendorsFolder,
} from "../../infra/generate/vendor-registries.ts";
import { chatProviders } from "../../lib/vendors/registry/chat-providers.ts";
import { findWebhookProvider } from "../../lib/vendors/registry/find-webhook-provider.ts";
import { webhookProviders } from "../../lib/vendors/registry/webhook-providers.ts";
import { vendors } from "../../lib/vendors/vendors.ts";

/** Folders that are not vendors: shared code and the registries. */
const otherFolders = ["registry", "shared"];

const listFiles = (vendor: string): string[] => readdirSync(resolve(vendorsFolder, vendor));

test("the vendors are the folders of lib/vendors", () => {
  const folders = readdirSync(vendorsFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !otherFolders.includes(entry.name))
    .map(({ name }) => name);
  expect(vendors.toSorted()).toEqual(folders.toSorted());
});

test("the registries equal the output of `npm run vendors`", () => {
  for (const [path, text] of buildVendorRegistries()) {
    expect(readFileSync(resolve(vendorsFolder, path), "utf8"), path).toBe(text);
  }
});

test.each(vendors)(
  "%s has a part, a sample of its webhook and an integration to register with",
  (vendor) => {
    const files = listFiles(vendor);
    const has = (part: string) => files.includes(`${part}.ts`);
    expect(vendorParts.filter(({ file }) => has(file))).not.toEqual([]);
    expect(has("sample")).toBe(has("webhook"));
    expect(has("webhook-form")).toBe(has("webhook"));
    expect(has("chat-form")).toBe(has("chat"));
    expect(has("integration")).toBe(has("registration"));
    if (has("settings")) expect(has("source")).toBe(true);
    expect(findWebhookProvider(vendor)?.registration !== undefined).toBe(has("registration"));
  },
);

test("a provider has the id of its folder", () => {
  for (const providers of [webhookProviders, chatProviders]) {
    expect(Object.values(providers).map(({ id }) => id)).toEqual(Object.keys(providers));
  }
});

test("the vendor that docs/tour.md adds can be added", () => {
  const root = resolve(vendorsFolder, "../..");
  const [, ...blocks] = readFileSync(resolve(root, "docs/tour.md"), "utf8").split("\n```diff\n");
  const diffs = blocks.map((block) => block.slice(0, block.indexOf("\n```\n") + 1)).join("");
  execFileSync("git", ["apply", "--check", "-"], { input: diffs, cwd: root });
});
