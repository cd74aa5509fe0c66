import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { newHome, runWharf } from "../cli/run-wharf.ts";
import { newOrganization } from "../harness/api.ts";
import { listen } from "../harness/listen.ts";

/** Outputs of the templates with the model echo and the samples of their inputs. */
const outputs: Readonly<Record<string, unknown>> = {
  "support-triage": { queue: "billing", category: "billing", priority: "normal" },
  "cited-answers": { answer: expect.stringContaining("[1] # Returns") },
  "github-issue-labeller": {
    repository: "acme/app",
    issue: 7,
    labels: ["bug"],
    question: "How can we reproduce this?",
  },
  "slack-assistant": "What is 17.5 % of 2,400?",
  "refund-approval": { refunded: true, amount: 250 },
  "invoice-extraction": {
    number: "INV-2041",
    total: 1210.5,
    currency: "EUR",
    dueDate: "2026-12-15",
    isComplete: true,
  },
  "weather-assistant": "The temperature is 17.5 °C.",
  "nightly-report": {
    report: "3 orders of 180 EUR. Best seller: Lamp.",
    numbers: { orders: 3, total: 180, best: "Lamp" },
  },
  "review-digest": { good: 1, neutral: 1, bad: 1, toAnswer: ["It came two weeks late."] },
};

const Template = z.object({ name: z.string(), input: z.record(z.string(), z.json()) });
const Templates = z.object({ items: z.array(Template) });
const Init = z.object({ commands: z.array(z.string()) });
const Execution = z.object({ executionId: z.string(), status: z.string(), output: z.unknown() });
const Approvals = z.object({ items: z.array(z.object({ id: z.string() })) });

test("each template is written, applied and deployed by the printed commands, and runs with echo", {
  tags: "nightly",
}, async () => {
  const own = await newOrganization();
  const home = newHome();
  const env = {
    WHARF_URL: inject("stack").baseUrl,
    WHARF_TENANT: own.slug,
    WHARF_TOKEN: own.token,
  };
  const wharf = async (args: readonly string[]): Promise<string> => {
    const run = await runWharf(args, { home, env });
    expect(run.exitCode, run.stderr).toBe(0);
    return run.stdout;
  };
  /** Splits a command as a shell does. */
  const splitCommand = (line: string): string[] =>
    [...line.matchAll(/'([^']*)'|(\S+)/g)].flatMap(([, quoted, word = ""]) => {
      if (quoted !== undefined) return [quoted];
      const folder = word.slice(0, -2);
      const expand = () => readdirSync(join(home, folder)).map((name) => join(folder, name));
      return word.endsWith("/*") ? expand() : [word];
    });

  const weather = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
    const isRight = searchParams.get("latitude") === "38.72";
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ current: { temperature_2m: isRight ? 17.5 : 0 } }));
  });
  const { url: baseUrl, close } = await listen(weather);
  onTestFinished(close);

  const { items } = Templates.parse(
    JSON.parse(await wharf(["agents", "init", "--list", "--json"])),
  );
  expect(items.map(({ name }) => name).sort()).toEqual(Object.keys(outputs).sort());
  const commands = new Set<string>();
  for (const { name } of items) {
    const init = await wharf(["agents", "init", "--template", name, "--json"]);
    for (const command of Init.parse(JSON.parse(init)).commands) commands.add(command);
  }
  // The only address outside of this machine.
  const settings = join(home, "agents/weather-api.settings.json");
  const parameters = JSON.parse(readFileSync(settings, "utf8"));
  writeFileSync(settings, JSON.stringify({ ...parameters, baseUrl }));
  const apply = "wharf agents apply agents --deploy --yes";
  const isNeed = (command: string): boolean => /^wharf (knowledge|integrations) /.test(command);
  expect([...commands]).toContain(apply);
  for (const command of [...[...commands].filter(isNeed), apply]) {
    await wharf(splitCommand(command).slice(1));
  }

  const results = await Promise.all(
    items.map(async ({ name, input }) => {
      const { body } = await own.send("POST", `/agents/${name}:execute`, { input });
      const { executionId, status, output } = Execution.parse(body);
      if (status !== "Waiting") return [name, output] as const;
      const list = await own.send("GET", `/approvals?executionId=${executionId}`);
      const [approval] = Approvals.parse(list.body).items;
      await own.send("POST", `/approvals/${approval?.id}:decide`, { action: "approve" });
      const path = `/agents/${name}/execution-records/${executionId}`;
      const ended = await vi.waitUntil(
        async () => {
          const { body: record } = await own.send("GET", path);
          return Object(record).status === "Succeeded" ? record : undefined;
        },
        { timeout: 20_000, interval: 200 },
      );
      return [name, Object(ended).output] as const;
    }),
  );
  expect(Object.fromEntries(results)).toMatchObject(outputs);
});
