import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";

const problem = '{"type":"/problems/not-found","title":"Not found","status":404}';
const server = createServer(({ url }, response) => {
  const isFound = url === "/v1/tenants/demo/agents/a";
  response.writeHead(isFound ? 200 : 404).end(isFound ? '{"id":"a","tags":["x"]}' : problem);
});
const folder = mkdtempSync(join(tmpdir(), "wharf-api-sh-"));

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const local = { baseUrl: `http://127.0.0.1:${port}`, tenantSlug: "demo", apiKey: "k" };
  writeFileSync(join(folder, "local.json"), JSON.stringify({ ...local, userToken: "t" }));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** The PATH without the commands of node_modules, where `npx` and `npm run` find the installed `wharf`. */
const pathWithoutPackages = [
  dirname(process.execPath),
  ...(process.env.PATH ?? "").split(delimiter),
]
  .filter((folder) => !folder.endsWith("node_modules/.bin"))
  .join(delimiter);

const script = join(import.meta.dirname, "../../docs/api.sh");

const run = async (line: string, dataDir = folder) => {
  const child = spawn("bash", ["-c", `source '${script}' && ${line}`], {
    env: { PATH: pathWithoutPackages, WHARF_DATA_DIR: dataDir },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code: Number(code), stdout, stderr };
};

test("api prints a response with a newline, and pick one member of it", {
  tags: "nightly",
}, async () => {
  const whole = await run("api GET /agents/a");
  expect([whole.code, whole.stdout]).toEqual([0, '{"id":"a","tags":["x"]}\n']);
  expect((await run("api GET /agents/a | pick 'tags[0]'")).stdout).toBe("x\n");
});

test("api prints a problem to stderr and fails", { tags: "nightly" }, async () => {
  const { code, stdout, stderr } = await run("api GET /agents/b");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(`GET /agents/b failed:\n${problem}\n`);
});

test("pick fails on a missing member and after a failed api, and prints nothing", {
  tags: "nightly",
}, async () => {
  const missing = await run("api GET /agents/a | pick name");
  expect([missing.code, missing.stdout]).toEqual([1, ""]);
  expect(missing.stderr).toContain('there is no name in {"id":"a","tags":["x"]}');
  const refused = await run("api GET /agents/b | pick id");
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toContain(problem);
});

test("wharf is the tool of the folder where no other one is installed", {
  tags: "nightly",
}, async () => {
  const { code, stdout } = await run("type -t wharf && wharf --help");
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^function\nUsage: wharf/)]);
});

test("sourcing fails where no product runs, and names the file that is missing", {
  tags: "nightly",
}, async () => {
  const { code, stderr } = await run("echo unreachable", join(folder, "none"));
  expect(code).toBe(1);
  expect(stderr).toContain(`${join(folder, "none", "local.json")} does not exist`);
});
