import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import * as z from "zod";
import { checks } from "../../infra/smoke/checks.ts";
import { call, newOrganization } from "../harness/api.ts";

const run = promisify(execFile);
const Failure = z.looseObject({ code: z.number(), stdout: z.string(), stderr: z.string() });
const Page = z.looseObject({ items: z.array(z.unknown()) });

const smoke = async (args: string[]) => {
  try {
    const { stdout } = await run(process.execPath, ["infra/commands/smoke.ts", ...args]);
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout, stderr } = Failure.parse(error);
    return { code, output: stdout + stderr };
  }
};

test("npm run smoke succeeds on the local stack, and deletes what it created", async () => {
  const own = await newOrganization();
  const { baseUrl } = inject("stack");
  const { code, output } = await smoke(["--url", baseUrl, "--token", own.token]);
  expect(output).toContain(`${checks.length} of ${checks.length} passed`);
  expect(code).toBe(0);
  const { token } = own;
  for (const path of ["agents", "webhooks", "apiKeys"]) {
    const { body } = await call("GET", `/v1/tenants/${own.tenantId}/${path}`, { token });
    expect(Array.isArray(body) ? body : Page.parse(body).items).toEqual([]);
  }
});

test("npm run smoke prints the failed checks, and exits with 1", { tags: "nightly" }, async () => {
  const own = await newOrganization();
  const { baseUrl } = inject("stack");
  const args = ["--url", baseUrl, "--token", own.token, "--tenant", "no-such-tenant"];
  const { code, output } = await smoke(args);
  expect(code).toBe(1);
  expect(output).toContain("passed  Responds without credentials");
  expect(output).toContain("FAILED  Creates an agent");
  expect(await smoke(["--url", "ftp://a", "--key", "k"])).toMatchObject({
    code: 1,
    output: expect.stringContaining("--url must be an http or https URL"),
  });
});
