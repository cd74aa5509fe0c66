import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { runWharf } from "./run-wharf.ts";
import { json, page, type StandIn, startStandIn } from "./stand-in.ts";

const checks = [
  { id: "pii", type: "Pii", kinds: ["Email"], on: ["output"], action: "mask" },
  {
    id: "tone",
    type: "Judge",
    llm: { providerId: "p" },
    rubric: "Rude.",
    on: ["output"],
    action: "block",
  },
];
const guardrail = {
  id: "privacy",
  displayName: "Privacy",
  checks,
  revision: 2,
  createdAt: 0,
  modifiedAt: 1_000,
};
const verdict = { guardrail: "privacy", revision: 2 };
const result = {
  blocked: true,
  value: null,
  verdicts: [
    { ...verdict, check: "pii", type: "Pii", outcome: "masked", found: ["Email"] },
    {
      ...verdict,
      check: "tone",
      type: "Judge",
      outcome: "blocked",
      found: [],
      error: "No rating.",
    },
  ],
  cost: 0.01,
};

let api: StandIn;
beforeAll(async () => {
  api = await startStandIn((arrived, response) => {
    const { method, url } = arrived;
    if (url.pathname.endsWith(":check")) return json(response, result);
    if (method === "POST") return json(response, guardrail, 201);
    if (url.pathname.endsWith("/privacy")) return json(response, guardrail);
    page(response, arrived, [guardrail]);
  });
});
beforeEach(() => {
  api.requests.length = 0;
});
afterAll(() => api.close());

const env = () => ({ WHARF_URL: api.url, WHARF_TENANT: "demo", WHARF_TOKEN: "a-token" });
const run = (...args: string[]) => runWharf(["guardrails", ...args], { env: env() });

it("guardrails are listed with their checks, and one is shown", async () => {
  const { stdout } = await run("list");
  expect(stdout).toMatch(/privacy +Privacy +2 +pii, tone/);
  const shown = await run("get", "privacy");
  expect(shown.stdout).toContain('"rubric": "Rude."');
  expect(JSON.parse((await run("get", "privacy", "--json")).stdout)).toEqual(guardrail);
});

it("a guardrail is created from a file", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "wharf-guardrails-")), "privacy.json");
  await writeFile(file, JSON.stringify({ checks }));
  expect((await run("create", "privacy", "--file", file)).stderr).toContain("Created privacy.");
  expect(api.requests.map(({ method }) => method)).toEqual(["POST"]);
});

it("a text is tried, with each check's outcome and why one failed", async () => {
  const { stderr, exitCode } = await run(
    "check",
    "privacy",
    "Write to ada@example.com.",
    "--on",
    "output",
  );
  expect(exitCode).toBe(0);
  expect(stderr).toBe("pii: masked (Email)\ntone: blocked: No rating.\nBlocked.\n");
  expect(api.requests.map(({ method }) => method)).toEqual(["POST"]);
});
