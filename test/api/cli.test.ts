import { createHmac } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import * as z from "zod";
import { newHome, runAtTerminal, runWharf } from "../cli/run-wharf.ts";
import { call, newOrganization } from "../harness/api.ts";
import { listen } from "../harness/listen.ts";

const Webhook = z.looseObject({ id: z.string(), signingSecret: z.string() });
const Ids = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) });

let own: Awaited<ReturnType<typeof newOrganization>>;
let env: Record<string, string>;

beforeAll(async () => {
  own = await newOrganization();
  env = { WHARF_URL: inject("stack").baseUrl, WHARF_TENANT: own.slug, WHARF_TOKEN: own.token };
  await own.deployAgent("greeter", {
    parametersMetadata: [{ name: "name", type: "String", required: true }],
    flow: {
      steps: [
        { id: "answer", type: "Prompt", llm: echo, prompt: "Hi {% input.name %}" },
        { id: "out", type: "Output", value: "{% steps.answer.output %}" },
      ],
      edges: [{ source: "answer", target: "out" }],
    },
  });
  await own.deployAgent("failing", {
    flow: { steps: [{ id: "out", type: "Output", value: "{% $error('broken') %}" }], edges: [] },
  });
});

const echo = { providerId: "echo", parameters: {} };

const wharf = (...args: string[]) => runWharf(args, { env });
const json = async (...args: string[]): Promise<unknown> => {
  const run = await wharf(...args, "--json");
  expect(run).toMatchObject({ exitCode: 0 });
  return JSON.parse(run.stdout);
};

describe("wharf agents", () => {
  test("creates, shows, lists and deletes an agent", async () => {
    const created = await json("agents", "create", "temporary", "--display-name", "Temporary");
    expect(created).toMatchObject({ id: "temporary", displayName: "Temporary" });
    expect(await json("agents", "get", "temporary")).toEqual(created);
    expect((await wharf("agents", "list")).stdout).toMatch(/^temporary +Temporary +none +none/m);
    const deletion = await json("agents", "delete", "temporary", "--yes");
    expect(deletion).toEqual({ id: "temporary", deleted: true });
    expect((await wharf("agents", "get", "temporary")).exitCode).toBe(5);
  });
});

describe("wharf approvals", () => {
  test("decides what `wharf run` says that it waits for, and the run ends with the output", {
    tags: "nightly",
  }, async () => {
    await own.deployAgent("asker", {
      flow: {
        steps: [
          {
            id: "ask",
            type: "Approval",
            title: "Pay?",
            fields: [{ name: "amount", type: "Integer", required: true }],
            allowStarter: true,
          },
          { id: "out", type: "Output", value: "Paid {% steps.ask.output.fields.amount %}" },
        ],
        edges: [{ source: "ask", target: "out" }],
      },
    });
    const running = wharf("run", "asker");
    const id = await vi.waitFor(async () => {
      const { items } = Ids.parse(await json("approvals", "list", "--agent", "asker"));
      expect(items).toHaveLength(1);
      return items[0]?.id ?? "";
    }, 20_000);
    expect((await wharf("approvals", "get", id)).stdout).toMatch(/^Fields +amount \(Integer/m);
    const decide = ["approvals", "decide", id, "approve"];
    expect(await wharf(...decide, "--field", "amont=7")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('did you mean "amount"'),
    });
    expect(await wharf(...decide, "--field", "amount=7")).toMatchObject({ exitCode: 0 });
    expect(await running).toMatchObject({
      exitCode: 0,
      stdout: "Paid 7\n",
      stderr: expect.stringMatching(
        new RegExp(
          `^Waiting for an approval: Pay\\? \\(Owner, Editor; until [^)]+\\)\\n  wharf approvals decide ${id} approve\\|reject\\n`,
        ),
      ),
    });
  });
});

describe("wharf datasets", () => {
  test("pushes a file and pulls it unchanged; errors in it are reported with their line", {
    tags: "nightly",
  }, async () => {
    const home = newHome();
    const at = (...args: string[]) => runWharf(["datasets", ...args], { home, env });
    const write = (name: string, ...values: unknown[]) =>
      writeFileSync(join(home, name), values.map((value) => `${JSON.stringify(value)}\n`).join(""));
    const cases = [
      { id: "ada", input: { name: "Ada" }, expected: "Hi Ada", split: "test" },
      { id: "bob", input: { name: "Bob" }, metadata: { from: "us" }, split: "test" },
    ];
    write("cases.jsonl", ...cases);
    const pushed = { dataset: "cases", format: "wharf", pushed: 2, skipped: 0 };
    const first = await at("push", "cases", "--json");
    expect(first).toMatchObject({ exitCode: 0, stderr: "Created the dataset cases.\n" });
    expect(JSON.parse(first.stdout)).toEqual({ ...pushed, version: 1, exampleCount: 2 });
    await at("pull", "cases", "copy.jsonl");
    expect(readFileSync(join(home, "copy.jsonl"), "utf8")).toBe(
      readFileSync(join(home, "cases.jsonl"), "utf8"),
    );
    expect(await at("push", "cases", "copy.jsonl")).toMatchObject({
      exitCode: 0,
      stderr: "Pushed 2 examples of copy.jsonl (wharf) to cases: version 1, 2 examples.\n",
    });

    write("evals.jsonl", { item: { name: "Eve", label: "Hi Eve" } });
    await at("push", "cases", "evals.jsonl", "--split", "train");
    expect(JSON.parse((await at("get", "cases", "--json")).stdout)).toMatchObject({ version: 2 });
    const pulled = await at("pull", "cases", "train.jsonl", "--split", "train", "--json");
    expect(JSON.parse(pulled.stdout)).toMatchObject({ version: 2, pulled: 1 });
    expect(JSON.parse(readFileSync(join(home, "train.jsonl"), "utf8"))).toMatchObject({
      input: { name: "Eve" },
      expected: "Hi Eve",
      split: "train",
    });
    await at("pull", "cases", "old.jsonl", "--dataset-version", "1");
    expect(readFileSync(join(home, "old.jsonl"), "utf8")).toContain('"bob"');
    const bob = await at("example", "cases", "bob", "--dataset-version", "1", "--json");
    expect(JSON.parse(bob.stdout)).toEqual({ ...cases[1], expected: null });
    expect((await at("example", "cases", "ada")).stdout).toMatch(/^Expected +"Hi Ada"$/m);
    expect((await at("example", "cases", "none")).exitCode).toBe(5);
    expect((await at("list")).stdout).toMatch(/^cases +cases +2 +3/m);

    write("wrong.jsonl", cases[0], { inputs: {} });
    expect(await at("push", "cases", "wrong.jsonl")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("wrong.jsonl, line 2: has the member `inputs`"),
    });
    const inputSchema = { type: "object", required: ["name"] };
    await own.send("PATCH", "/datasets/cases", { inputSchema });
    write("refused.jsonl", cases[0], { input: { nam: "Ada" } });
    expect(await at("push", "cases", "refused.jsonl")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("refused.jsonl, line 2: /input"),
    });
    expect((await at("push", "cases", "none.jsonl")).exitCode).toBe(1);
    expect((await at("pull", "nothing")).exitCode).toBe(5);
  });
});

describe("wharf experiments", () => {
  const run = ["experiments", "run", "--dataset", "guests", "--agent", "greeter"];
  const both = [...run, "--revision", "1", "--revision", "2"];

  beforeAll(async () => {
    await own.send("POST", "/agents/greeter/revisions", {
      parametersMetadata: [{ name: "name", type: "String", required: true }],
      flow: { steps: [{ id: "out", type: "Output", value: "Hi Ada" }], edges: [] },
    });
    await own.send("POST", "/datasets", { id: "guests", displayName: "Guests" });
    const items = ["Ada", "Bob"].map((name) => ({
      id: name,
      input: { name },
      expected: `Hi ${name}`,
    }));
    await own.send("POST", "/datasets/guests/examples", { items });
    await own.send("POST", "/scorers", { id: "correct", displayName: "Correct", type: "Exact" });
  });

  test("wait for the end, exit with 3 below a minimum, and list regressions", {
    tags: "nightly",
  }, async () => {
    const value = ["--value", "$length(output) < 9"];
    await json("scorers", "create", "short", "--type", "Expression", ...value);
    expect((await wharf("scorers", "list")).stdout).toMatch(/^correct +Correct +Exact /m);
    const scored = [...both, "--scorer", "correct", "--scorer", "short", "--name", "Shorter"];
    const compared = await wharf(...scored, "--min", "short=1", "--min", "correct=0.6");
    expect(compared).toMatchObject({ exitCode: 3 });
    expect(compared.stdout).toMatch(/^1 +correct +1 +1 to 1 +100 % +0 +\$0 +\d/m);
    expect(compared.stdout).toMatch(/^2 +correct +0.5 +0 to 1 +50 % +0 +\$0 +\d/m);
    const [started, succeeded, ...short] = compared.stderr.trimEnd().split("\n");
    expect(succeeded).toBe("Succeeded: 4 of 4 runs, 0 failed, cost $0");
    expect(short).toEqual([
      "wharf: Revision 2 fell short: correct has the mean 0.5, its minimum is 0.6.",
    ]);
    const id = /^Started the experiment (?<id>\S+)\.$/.exec(started ?? "")?.groups?.id ?? "";

    const got = await wharf("experiments", "get", id);
    expect(got.stdout).toMatch(/^Agent +greeter, revisions 1, 2$/m);
    expect(got.stdout).toContain(compared.stdout);
    expect((await wharf("experiments", "list")).stdout).toMatch(
      new RegExp(`^${id} +Shorter +greeter +1, 2 +guests, version 1 +Succeeded +4 of 4 `, "m"),
    );
    const all = await json("experiments", "results", id, "--revision", "2");
    expect(all).toMatchObject({ items: [{ exampleId: "Ada" }, { exampleId: "Bob" }] });
    const worse = await wharf("experiments", "results", id, "--regressed-from", "1");
    expect(worse.stdout.trimEnd().split("\n").slice(1)).toEqual([
      expect.stringMatching(/^Bob +correct 1 to 0 +Hi Bob +Hi Ada /),
    ]);
    expect((await wharf("experiments", "cancel", id)).exitCode).toBe(1);
  });

  test("score with a guardrail which outputs it would have blocked, and block none", {
    tags: "nightly",
  }, async () => {
    const check = { id: "bob", type: "Pattern", pattern: "Bob", on: ["output"], action: "block" };
    const guardrail = { id: "no-bob", displayName: "No Bob", checks: [check] };
    await own.send("POST", "/guardrails", guardrail);
    const type = ["--type", "Guardrail", "--guardrail", "no-bob"];
    await json("scorers", "create", "passes", ...type);
    const scored = await json(...run, "--revision", "1", "--scorer", "passes");
    expect(scored).toMatchObject({
      status: "Succeeded",
      progress: { total: 2, completed: 2, failed: 0 },
      summary: [{ scorer: "passes", mean: 0.5, passRate: 0.5, failures: 0, unscored: 0 }],
    });
    const { id } = z.object({ id: z.string() }).parse(scored);
    const comment = 'The guardrail "no-bob" blocked the output (check "bob").';
    const scores = [
      { scorer: "passes", value: 1, passed: true, comment: null },
      { scorer: "passes", value: 0, passed: false, comment },
    ];
    expect(await json("experiments", "results", id)).toMatchObject({
      items: scores.map((score) => ({ status: "Succeeded", error: null, scores: [score] })),
    });
  });

  test("exit with 0 at a minimum that is reached", { tags: "nightly" }, async () => {
    const args = [...run, "--revision", "1", "--scorer", "correct", "--min", "correct=1"];
    expect(await json(...args)).toMatchObject({ status: "Succeeded", summary: [{ mean: 1 }] });
  });

  test("continue with --no-wait and after Ctrl-C, until they are cancelled", {
    tags: "nightly",
  }, async () => {
    const retry = { maxAttempts: 2, backoffSeconds: 60, on: ["execution-failed"] };
    const waiting = { id: "wait", type: "Transform", value: "{% $error('not yet') %}", retry };
    await own.deployAgent("waiting", {
      parametersMetadata: [{ name: "name", type: "String", required: true }],
      flow: { steps: [waiting], edges: [] },
    });
    const args = [...run, "--agent", "waiting", "--revision", "1", "--scorer", "correct"];
    const started = await wharf(...args, "--no-wait");
    expect(started).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^[\da-f-]{36}\n$/),
    });

    const stopped = await runWharf(args, { env, interrupt: AbortSignal.abort() });
    expect(stopped).toMatchObject({ exitCode: 130, stdout: "" });
    const continues = /The experiment continues: wharf experiments get (?<id>\S+)\n$/;
    const interrupted = continues.exec(stopped.stderr)?.groups?.id ?? "";

    for (const id of [interrupted, started.stdout.trim()]) {
      expect(await json("experiments", "get", id)).toMatchObject({ id, endedAt: null });
      const cancelled = await json("experiments", "cancel", id);
      expect(cancelled).toMatchObject({ id, status: "Cancelled" });
    }
  });
});

describe("wharf run", () => {
  test("prints the output, and status and cost on stderr", { tags: "nightly" }, async () => {
    const run = await wharf("run", "greeter", "--input", "name=Ada");
    expect(run).toMatchObject({ exitCode: 0, stdout: "Hi Ada\n" });
    expect(run.stderr).toMatch(/^Succeeded: .*tokens, cost \$0, revision 1, execution [\da-f-]+$/m);
  });

  test("streams steps to stderr and the model's text to stdout, once", async () => {
    const run = await wharf("run", "greeter", "--input", "name=Ada", "--stream");
    expect(run).toMatchObject({ exitCode: 0, stdout: "Hi Ada\n" });
    expect(run.stderr).toMatch(/▸ answer\n✓ answer\n▸ out\n✓ out\nSucceeded: /);
  });

  test.each([[[]], [["--stream"]]])(
    "of an agent that fails exits with 1 and names the step (%j)",
    { tags: "nightly" },
    async (options) => {
      const run = await wharf("run", "failing", ...options, "--json");
      expect(run.exitCode).toBe(1);
      expect(run.stderr).toContain("(step out)");
      expect(JSON.parse(run.stdout)).toMatchObject({ status: "Failed", error: { step: "out" } });
    },
  );

  test("in the background prints the id, and its record, trace and list entry can be read", {
    tags: "nightly",
  }, async () => {
    const started = await wharf("run", "greeter", "--input", "name=Bo", "--background");
    const id = started.stdout.trim();
    await expect
      .poll(() => json("executions", "get", "greeter", id))
      .toMatchObject({ id, status: "Succeeded", output: "Hi Bo" });
    const trace = await wharf("executions", "trace", "greeter", id);
    expect(trace.stdout).toMatch(/^✓ answer \(Prompt\) +[·█]+ .*\n {2}✓ echo-1 \(Model\) +[·█]+ /);
    expect(Ids.parse(await json("executions", "list", "greeter")).items[0]?.id).toBe(id);
    expect((await wharf("executions", "cancel", "greeter", id)).exitCode).toBe(1);
  });
});

test("wharf executions tail prints the last executions until it is interrupted", async () => {
  const stop = new AbortController();
  stop.abort();
  const args = ["executions", "tail", "greeter", "--last", "1", "--json"];
  const run = await runWharf(args, { env, interrupt: stop.signal });
  expect(run.exitCode).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ agentId: "greeter", status: "Succeeded" });
});

test("wharf costs sums executions by agent", { tags: "nightly" }, async () => {
  await expect
    .poll(async () => (await wharf("costs", "--agent", "failing")).stdout)
    .toMatch(/^failing +2 +2 /m);
});

describe("wharf knowledge", () => {
  const searched = ["knowledge", "search", "How long can I return a desk?", "--asset", "shop"];

  test("uploads files and standard input, names files that cannot be indexed, and finds passages", {
    tags: "nightly",
  }, async () => {
    const home = newHome();
    const files = {
      "returns.md": "# Returns\n\nA desk within 30 days.",
      "broken.pdf": "%PDF-1.4",
      // Larger than a request may be.
      "large.bin": Buffer.alloc(4 * 1_024 * 1_024 + 1),
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(home, name), content);
    const created = await json("knowledge", "create", "shop", "--display-name", "Shop");
    expect(created).toMatchObject({ id: "shop", type: "upload", status: "Empty" });
    const run = await runWharf(
      ["knowledge", "upload", "shop", ...Object.keys(files), "-", "--name", "lamps.txt", "--wait"],
      { env, home, stdin: "Lamps cost 30 EUR." },
    );
    expect(run.exitCode).toBe(1);
    expect(run.stderr.split("\n")).toEqual([
      "wharf: broken.pdf: The file is not a valid PDF.",
      expect.stringMatching(/^wharf: large.bin: The file is not text, /),
      "",
    ]);
    expect(run.stdout).toMatch(/^returns.md +Indexed +33 +1 /m);
    expect(run.stdout).toMatch(/^large.bin +Failed +4194305 +0 /m);
    expect(run.stdout).toMatch(/^lamps.txt +Indexed +18 +1 /m);
    expect((await wharf(...searched, "--limit", "1")).stdout).toBe(
      "returns.md  shop, score 1.00\n# Returns A desk within 30 days.\n",
    );
    expect(await json(...searched, "--document", "lamps.txt")).toMatchObject({
      items: [{ documentName: "lamps.txt", text: "Lamps cost 30 EUR." }],
    });
    expect((await wharf("knowledge", "list")).stdout).toMatch(/^shop +Shop +upload +Ready +2 /m);
  });

  test("sync --wait ends with the status, and exits with 1 if the sync failed", {
    tags: "nightly",
  }, async () => {
    const create = ["knowledge", "create", "code", "--type", "github", "--parameters-file", "-"];
    const parameters = JSON.stringify({ repository: "acme/code", baseUrl: "https://code.invalid" });
    expect((await runWharf(create, { env, stdin: parameters })).exitCode).toBe(0);
    const failed = await wharf("knowledge", "sync", "code", "--wait");
    expect(failed).toMatchObject({ exitCode: 1, stdout: "" });
    expect(failed.stderr).toMatch(/^Failed: .*code\.invalid/);
    const ready = await wharf("knowledge", "sync", "shop", "--wait");
    expect(ready).toMatchObject({ exitCode: 0 });
    expect(ready.stderr).toContain("Ready: 4 documents read, 0 indexed, 0 removed");
  });
});

describe("wharf files", () => {
  test("runs an agent with files of this machine, and stores, downloads and deletes one", async () => {
    const home = newHome();
    const large = Buffer.alloc(4 * 1_024 * 1_024 + 1, "a");
    writeFileSync(join(home, "small.csv"), "a,b\n");
    writeFileSync(join(home, "large.txt"), large);
    await own.deployAgent("files", {
      parametersMetadata: [{ name: "papers", type: "File", multiple: true, required: true }],
      flow: {
        steps: [{ id: "out", type: "Output", value: "{% input.papers.(name & ' ' & bytes) %}" }],
        edges: [],
      },
    });
    const inputs = ["--input", "papers=@small.csv", "--input", "papers=@large.txt"];
    const run = await runWharf(["run", "files", ...inputs, "--json"], { env, home });
    expect(JSON.parse(run.stdout)).toMatchObject({ output: ["small.csv 4", "large.txt 4194305"] });

    const upload = await runWharf(["files", "upload", "large.txt"], { env, home });
    expect(upload.stderr).toContain("Stored large.txt (text/plain, 4194305 bytes) until ");
    const id = upload.stdout.trim();
    const download = await runWharf(["files", "download", id, "copy.txt"], { env, home });
    expect(download).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(home, "copy.txt")).equals(large)).toBe(true);
    expect(await json("files", "get", id)).toMatchObject({ name: "large.txt", bytes: 4194305 });
    expect(await json("files", "delete", id, "--yes")).toEqual({ id, deleted: true });
    expect((await wharf("files", "get", id)).exitCode).toBe(5);
  });
});

describe("wharf webhooks", () => {
  test("create separates the filter of deliveries that run the agent from the events that the provider sends", {
    tags: "nightly",
  }, async () => {
    await own.deployAgent("watcher", {
      parametersMetadata: [{ name: "event", type: "Json" }],
      flow: { steps: [{ id: "out", type: "Output", value: "{% input.event %}" }], edges: [] },
    });
    const create = ["webhooks", "create", "generic", "--agent", "watcher"];
    const filter = "payload.action = 'opened'";
    const options = ["--filter", filter, "--event-type", "issue", "--provider-filter", "issues"];
    const webhook = Webhook.extend({ subscription: z.unknown(), signingSecret: z.unknown() }).parse(
      await json(...create, ...options),
    );
    expect(webhook).toMatchObject({
      filter: "issues",
      subscription: { subscriberId: "watcher", filter, eventTypes: ["issue"] },
    });
    const plain = Webhook.extend({ signingSecret: z.unknown() }).parse(await json(...create));
    expect(plain).toMatchObject({ filter: null, subscription: { filter: null, eventTypes: null } });
    const count = async () =>
      Ids.parse(await json("webhooks", "list", "--provider", "generic")).items.length;
    const before = await count();
    for (const [name, value] of [
      ["--agent", "nobody"],
      ["--filter", "$unknown("],
      ["--filter", `payload.a = "${"x".repeat(9_000)}"`],
    ] as const) {
      expect((await wharf(...create, name, value)).exitCode).not.toBe(0);
    }
    expect(await count()).toBe(before);
  });

  test("listen forwards deliveries byte for byte with their signature", async () => {
    const { id, signingSecret } = Webhook.parse(await json("webhooks", "create", "github"));
    const bodies = ['{ "n": 1.0,\n  "text": "Grüße" }', "payload=%7B%22n%22%3A+2%7D"];
    const sign = (body: string | Uint8Array) =>
      `sha256=${createHmac("sha256", signingSecret).update(body).digest("hex")}`;
    for (const [at, raw] of bodies.entries()) {
      const type = at === 0 ? "application/json" : "application/x-www-form-urlencoded";
      const headers = {
        "Content-Type": type,
        "X-GitHub-Event": "push",
        "X-GitHub-Delivery": `delivery-${at}`,
        "X-Hub-Signature-256": sign(raw),
      };
      const response = await call("POST", `${own.base}/webhooks/github/${id}`, { raw, headers });
      expect(response.status).toBe(204);
      await expect
        .poll(async () => Ids.parse(await json("webhooks", "deliveries", id)).items.length)
        .toBe(at + 1);
    }

    const stop = new AbortController();
    const arrived: { body: string; isSigned: boolean; event: unknown }[] = [];
    const server = createServer(async (request, response) => {
      const body = await buffer(request);
      const isSigned = request.headers["x-hub-signature-256"] === sign(body);
      const event = request.headers["x-github-event"];
      arrived.push({ body: body.toString(), isSigned, event });
      response.writeHead(arrived.length === 1 ? 202 : 500).end();
    });
    const target = await listen(server);
    const args = ["webhooks", "listen", id, "--forward-to", `${target.url}/hooks`, "--json"];
    const running = runWharf([...args, "--replay-last", "2"], { env, interrupt: stop.signal });
    await expect.poll(() => arrived.length).toBe(2);
    await expect.poll(() => arrived).toHaveLength(2);
    stop.abort();
    const run = await running;
    await target.close();
    expect(run.exitCode).toBe(0);
    expect(arrived).toEqual(bodies.map((body) => ({ body, isSigned: true, event: "push" })));
    const [first] = run.stdout.split("\n");
    expect(JSON.parse(first ?? "")).toMatchObject({ eventType: "push", status: 202, error: null });
  });
});

describe("wharf login", () => {
  /** Signs in as a person does on the page of the local issuer, and returns to the loopback address. */
  const signIn = async (address: string): Promise<void> => {
    const { origin, pathname, searchParams } = new URL(address);
    searchParams.set("user", "ada@example.com");
    searchParams.set("role", "read-only");
    const form = { method: "POST", body: searchParams, redirect: "manual" as const };
    const returned = await fetch(origin + pathname, form);
    await fetch(returned.headers.get("location") ?? "");
  };

  test("signs in with the browser by PKCE, and renews the token", { tags: "nightly" }, async () => {
    const home = newHome();
    const url = inject("stack").baseUrl;
    const opened: string[] = [];
    const run = await runAtTerminal(["login", "--url", url, "--tenant", "demo"], "", {
      home,
      openBrowser: (address) => {
        opened.push(address);
        void signIn(address);
      },
    });
    expect(run).toMatchObject({ exitCode: 0, stdout: "" });
    expect(run.stderr).toContain(`Logged in to ${url}, tenant demo`);
    const { searchParams } = new URL(opened[0] ?? "");
    expect(searchParams.get("code_challenge_method")).toBe("S256");
    expect(searchParams.get("redirect_uri")).toMatch(/^http:\/\/127\.0\.0\.1:897[678]\/callback$/);

    const file = join(home, "config/wharf/credentials.json");
    const read = () => JSON.parse(readFileSync(file, "utf8"));
    const before = read();
    const { default: login } = before.profiles;
    expect(Object.keys(login)).toEqual(["url", "tenant", "token", "expiresAt", "renewal"]);
    const expired = { ...login, token: "expired", expiresAt: 0 };
    writeFileSync(file, JSON.stringify({ ...before, profiles: { default: expired } }));
    expect((await runWharf(["agents", "list"], { home })).exitCode).toBe(0);
    expect(read().profiles.default).toMatchObject({ url, expiresAt: expect.any(Number) });
    expect(read().profiles.default.expiresAt).toBeGreaterThan(0);
  });
});
