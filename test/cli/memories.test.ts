import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { runWharf } from "./run-wharf.ts";
import { page, type StandIn, startStandIn } from "./stand-in.ts";

const memory = {
  id: "9b1c1b0b6a8f4f6e8d0c2a4e6f8a0b1c-0193f0a0-7c4b-7000-8000-000000000000",
  namespace: "ada/1",
  text: "Ada drinks tea.",
  executionId: "e-1",
  createdAt: 0,
  expiresAt: 1_000,
};

let api: StandIn;
beforeAll(async () => {
  api = await startStandIn((arrived, response) => {
    if (arrived.method === "DELETE") response.writeHead(204).end();
    else page(response, arrived, [memory]);
  });
});
beforeEach(() => {
  api.requests.length = 0;
});
afterAll(() => api.close());

const env = () => ({ WHARF_URL: api.url, WHARF_TENANT: "demo", WHARF_TOKEN: "a-token" });
const run = (...args: string[]) => runWharf(["memories", ...args], { env: env() });

it("memories of a namespace are listed", async () => {
  const { stdout, exitCode } = await run("list", "host", "ada/1");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^TEXT +CREATED +EXPIRES +ID *\nAda drinks tea\. /);
  expect(api.requests[0]?.url.searchParams.get("namespace")).toBe("ada/1");
});

it("a memory, and all of a namespace, are deleted after a confirmation only", async () => {
  for (const args of [
    ["delete", "host", memory.id],
    ["erase", "host", "ada/1"],
  ]) {
    expect((await run(...args)).exitCode).not.toBe(0);
    expect(api.requests).toEqual([]);
    expect((await run(...args, "--yes")).exitCode).toBe(0);
    expect(api.requests.splice(0).map(({ method }) => method)).toEqual(["DELETE"]);
  }
  const { stdout } = await run("erase", "host", "ada/1", "--yes", "--json");
  expect(JSON.parse(stdout)).toEqual({ namespace: "ada/1", deleted: true });
  expect(api.requests[0]?.url.searchParams.get("namespace")).toBe("ada/1");
});
