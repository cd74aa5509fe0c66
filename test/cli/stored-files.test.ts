import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { toSafeName } from "../../cli/stored-files/choose-path.ts";
import { newHome, type Run, runWharf } from "./run-wharf.ts";
import { json, problem, type StandIn, startStandIn } from "./stand-in.ts";

const id = "0193f0a0-7c4b-7000-8000-000000000000";
const stored = {
  id,
  name: "../\u001b[2Ja:b.png",
  mediaType: "image/png",
  bytes: 3,
  sha256: "00",
  createdAt: 0,
  expiresAt: 86_400_000,
};
const savedName = "__[2Ja_b.png";

let api: StandIn;
let storage: { status: number; content: string };
let home: string;
beforeAll(async () => {
  api = await startStandIn(({ method, url }, response) => {
    const path = url.pathname.replace("/v1/tenants/demo/", "");
    if (path === "files") json(response, { ...stored, name: url.searchParams.get("name") }, 201);
    else if (path === `files/${id}/content`) json(response, { url: `${api.url}/storage` });
    else if (path === "/storage") response.writeHead(storage.status).end(storage.content);
    else if (path !== `files/${id}`) problem(response, 404, "not-found");
    else if (method === "DELETE") response.writeHead(204).end();
    else json(response, stored);
  });
});
afterAll(() => api.close());
beforeEach(() => {
  api.requests.length = 0;
  storage = { status: 200, content: "abc" };
  home = newHome();
});

const files = (args: string[], stdin = ""): Promise<Run> => {
  const env = { WHARF_URL: api.url, WHARF_TENANT: "demo", WHARF_TOKEN: "a-token" };
  return runWharf(["files", ...args], { env, home, stdin });
};
const read = (name: string): string => readFileSync(join(home, name), "utf8");

describe("wharf files upload", () => {
  test("stores a file, or standard input with a name, and prints the id", async () => {
    writeFileSync(join(home, "a.txt"), "abc");
    const runs = [
      await files(["upload", "a.txt", "--retention-days", "2"]),
      await files(["upload", "-", "--name", "b.txt"], "abc"),
    ];
    for (const { exitCode, stdout } of runs) expect([exitCode, stdout]).toEqual([0, `${id}\n`]);
    expect(runs[0]?.stderr).toBe("Stored a.txt (image/png, 3 bytes) until 1970-01-02T00:00:00Z.\n");
    expect(api.requests.map(({ url }) => url.search)).toEqual([
      "?name=a.txt&retentionDays=2",
      "?name=b.txt",
    ]);
  });

  test.each([
    ["a file that does not exist", ["none.txt"], "none.txt cannot be read."],
    ["a folder", ["."], ". is not a file."],
    ["standard input without a name", ["-"], "--name is required for standard input (-)."],
    ["empty standard input", ["-", "--name", "a"], "Standard input (-) is empty."],
  ])("refuses %s, and sends nothing", async (_, args, message) => {
    const run = await files(["upload", ...args]);
    expect(run).toMatchObject({ exitCode: 2, stdout: "", stderr: `wharf: ${message}\n` });
    expect(api.requests).toEqual([]);
  });
});

describe("wharf files download", () => {
  test("saves a file under a safe name, and replaces one only with --force", async () => {
    mkdirSync(join(home, "folder"));
    const run = await files(["download", id, "folder"]);
    expect(run).toMatchObject({ exitCode: 0, stdout: "" });
    expect(run.stderr).toBe(`Saved ${home}/folder/${savedName} (image/png, 3 bytes).\n`);
    expect(read(`folder/${savedName}`)).toBe("abc");
    storage.content = "other";
    const again = await files(["download", id, "folder"]);
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toContain("exists. Use --force to replace it.");
    expect(read(`folder/${savedName}`)).toBe("abc");
    expect((await files(["download", id, "folder", "--force", "--json"])).stdout).toContain(
      `"path": "${home}/folder/${savedName}"`,
    );
    expect(read(`folder/${savedName}`)).toBe("other");
    expect(readdirSync(join(home, "folder"))).toEqual([savedName]);
  });

  test("writes to standard output; the credential is not sent to the storage", async () => {
    expect(await files(["download", id, "-"])).toEqual({ exitCode: 0, stdout: "abc", stderr: "" });
    const sent = api.requests.map(({ url, headers }) => [url.pathname, headers.authorization]);
    expect(sent.at(-1)).toEqual(["/storage", undefined]);
  });

  test("leaves nothing when the storage refuses, and an unknown file is not found", async () => {
    storage.status = 403;
    const refused = await files(["download", id, "a.png"]);
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: "wharf: The storage refused the download (403).\n",
    });
    expect((await files(["download", `${id.slice(0, -1)}1`])).exitCode).toBe(5);
    expect(readdirSync(home)).toEqual([]);
  });

  test.each([
    ["photo.png", "photo.png"],
    [".bashrc", "bashrc"],
    ["..", `file-${id}`],
    ["-rf", "rf"],
    ["NUL.txt", `file-${id}`],
    ["a\u202eb\u0000c?.txt", "a_b_c_.txt"],
    [`${"ä".repeat(150)}.jpeg`, `${"ä".repeat(97)}.jpeg`],
  ])("the name %j is written as %j", (name, safe) => {
    expect(toSafeName(name, id)).toBe(safe);
  });
});

test("a file is shown without control characters, and deleted after a confirmation only", async () => {
  const shown = await files(["get", id]);
  expect(shown.stdout).toContain("Name        ../\ufffd[2Ja:b.png\n");
  expect(shown.stdout).toContain("Expires     1970-01-02T00:00:00Z\n");
  api.requests.length = 0;
  expect((await files(["delete", id])).exitCode).not.toBe(0);
  expect(api.requests).toEqual([]);
  expect(await files(["delete", id, "--yes"])).toMatchObject({
    exitCode: 0,
    stderr: `Deleted ${id}.\n`,
  });
});
