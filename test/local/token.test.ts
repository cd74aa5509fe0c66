import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { createLocalJWKSet, jwtVerify } from "jose";
import { afterAll, expect, test } from "vitest";
import * as z from "zod";
import { loadIssuerKey, toJwks } from "../../infra/local/issuer.ts";
import { removeFolders, temporaryFolder } from "./fixture-stack.ts";

afterAll(removeFolders);

const script = join(import.meta.dirname, "../../infra/commands/token.ts");
const run = (directory: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [script, ...args], {
    env: { PATH: process.env.PATH, WHARF_DATA_DIR: directory },
  });

test("only the token is printed, and it verifies with the keys of the data folder", {
  tags: "nightly",
}, async () => {
  const directory = temporaryFolder();
  const issuerKey = await loadIssuerKey(join(directory, "issuer-key.json"));
  const { stdout } = await run(
    directory,
    "--org",
    "acme",
    "--role",
    "runner",
    "--user",
    "a@b.example",
    "--ttl",
    "60",
  );
  const keys = createLocalJWKSet(toJwks(issuerKey));
  const { payload } = await jwtVerify(stdout.trimEnd(), keys, {
    issuer: "https://local.wharf.invalid",
    audience: "wharf",
  });
  expect(payload).toMatchObject({
    sub: "a@b.example",
    email: "a@b.example",
    org_id: "acme",
    role: "runner",
  });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(60);
  expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
});

test("concurrent creations of the key pair agree on one", async () => {
  const file = join(temporaryFolder(), "issuer-key.json");
  const keys = await Promise.all(Array.from({ length: 5 }, () => loadIssuerKey(file)));
  for (const key of keys) expect(key).toEqual(JSON.parse(readFileSync(file, "utf8")));
});

const Failed = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });

test("a folder in which no product was started gets no key: the command fails and names the folder", {
  tags: "nightly",
}, async () => {
  const directory = temporaryFolder();
  const failed = Failed.parse(await run(directory).catch((error: unknown) => error));
  expect(failed).toMatchObject({ code: 1, stdout: "" });
  expect(failed.stderr).toContain(`${directory} is not the data folder of a local product`);
  expect(readdirSync(directory)).toEqual([]);
});

test.each([
  ["an unknown option", ["--nope"]],
  ["an unknown role", ["--role", "king"]],
  ["a malformed time", ["--ttl", "soon"]],
  ["a malformed e-mail address", ["--user", "me"]],
])("%s prints the usage to stderr and exits with 2", { tags: "nightly" }, async (_, args) => {
  const failed = Failed.parse(
    await run(temporaryFolder(), ...args).catch((error: unknown) => error),
  );
  expect(failed).toMatchObject({ code: 2, stdout: "" });
  expect(failed.stderr).toContain("usage: npm run token");
});
