import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { deployedConsoleUrl, planRedeployment, readOptions } from "../../infra/commands/deploy.ts";
import { requireConcurrency } from "../../infra/deployed/account-concurrency.ts";
import { awaitEmptyQueues } from "../../infra/deployed/await-queues.ts";
import { rollBack } from "../../infra/deployed/rollback.ts";
import { requireVectorService } from "../../infra/deployed/vector-service.ts";
import { readConfig } from "../../infra/settings/config.ts";
import { listen } from "../harness/listen.ts";

/** Lambda as far as the command needs it: the settings of the account. */
let reply: { status: number; body: unknown };
const calls: string[] = [];
const server = createServer((request, response) => {
  calls.push(`${request.method} ${request.url}`);
  response.writeHead(reply.status, { "content-type": "application/json" });
  response.end(JSON.stringify(reply.body));
});
const accountWith = (quota: number) => ({
  status: 200,
  body: { AccountLimit: { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: quota } },
});

let environment: Record<string, string>;
beforeAll(async () => {
  environment = {
    AWS_ENDPOINT_URL: (await listen(server)).url,
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE",
    AWS_SECRET_ACCESS_KEY: "secret",
  };
});
afterAll(() => server.close());

const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
beforeEach(() => {
  calls.length = 0;
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
});
afterEach(() => {
  vi.unstubAllEnvs();
  warn.mockClear();
});

const check = (settings: Record<string, string> = {}, ignoresQuota = false) =>
  requireConcurrency(readConfig(settings), { ignoresQuota });
const warnings = () => warn.mock.calls.map(([line]) => String(line));

describe("the account's concurrency", () => {
  test("below ACCOUNT_CONCURRENCY ends npm run deploy before it builds or deploys, with advice", {
    tags: "nightly",
  }, async () => {
    reply = accountWith(400);
    const env = { ...environment, PATH: process.env.PATH };
    const run = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, ["infra/commands/deploy.ts"], { env }, (error, _, stderr) =>
        resolve({ code: error?.code, stderr }),
      );
    });
    expect(run).toEqual({
      code: 1,
      stderr: [
        "The account may run 400 Lambda functions at a time in eu-west-1; ACCOUNT_CONCURRENCY is 1000.",
        "Either set ACCOUNT_CONCURRENCY=400, or:",
        "Ask for a higher quota in the console: Service Quotas, AWS services, AWS Lambda, Concurrent executions (L-B99A9384), Request increase at account level.",
        "Or with the AWS CLI:",
        "  aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000 --region eu-west-1",
        "Nothing was deployed. --ignore-quota deploys all the same: npm run deploy -- --ignore-quota",
        "",
      ].join("\n"),
    });
    expect(calls).toEqual(["GET /2016-08-19/account-settings"]);
  });

  test("of exactly ACCOUNT_CONCURRENCY is enough", async () => {
    reply = accountWith(400);
    await check({ ACCOUNT_CONCURRENCY: "400" });
    await expect(check({ ACCOUNT_CONCURRENCY: "401" })).rejects.toThrow("ACCOUNT_CONCURRENCY=400");
    expect(warnings()).toEqual([]);
  });

  test("below the minimum of a deployment needs a higher quota", async () => {
    reply = accountWith(10);
    await expect(check()).rejects.toThrow(
      "Either deploy without reserved concurrency, ACCOUNT_CONCURRENCY=56 npm run deploy -- --ignore-quota, or:",
    );
  });

  test("that is too low is a warning with --ignore-quota, which the CDK does not get", async () => {
    reply = accountWith(400);
    const { ignoresQuota, cdkArgs } = readOptions([
      "--ignore-quota",
      "--require-approval",
      "never",
    ]);
    expect(cdkArgs).toEqual(["--require-approval", "never"]);
    await check({}, ignoresQuota);
    expect(warnings()).toEqual([expect.stringContaining("Warning: The account may run 400")]);
    await expect(check({}, readOptions(cdkArgs).ignoresQuota)).rejects.toThrow("Nothing was");
  });

  test("that may not be read, or not without credentials, is a warning", async () => {
    const message = "not authorized to perform: lambda:GetAccountSettings";
    reply = { status: 403, body: { __type: "AccessDeniedException", message } };
    await check();
    expect(warnings()).toEqual([expect.stringContaining(message)]);
    for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]) vi.stubEnv(name, "");
    for (const name of ["AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"]) {
      vi.stubEnv(name, "/dev/null");
    }
    vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
    await check();
    expect(warnings()[1]).toContain("Could not load credentials");
    expect(calls).toHaveLength(1);
  });
});

test("a region without S3 Vectors is refused before anything is built; a refused call is a region with it", async () => {
  vi.stubEnv("AWS_ENDPOINT_URL_S3VECTORS", "http://s3vectors.eu-nowhere-1.invalid");
  await expect(requireVectorService()).rejects.toThrow("has no endpoint in eu-west-1");
  vi.stubEnv("AWS_ENDPOINT_URL_S3VECTORS", environment.AWS_ENDPOINT_URL ?? "");
  reply = { status: 403, body: { __type: "AccessDeniedException" } };
  await requireVectorService();
});

describe("the console's address", () => {
  const created = "https://d111111abcdef8.cloudfront.net/console/";
  const again = ["Wharf-Data", "Wharf-Api", "--exclusively"];
  const known = (settings: Record<string, string>, outputs?: Record<string, string>) =>
    deployedConsoleUrl(readConfig(settings), outputs && new Map(Object.entries(outputs)));

  test("is passed to the data and the API stack after the deployment that created or replaced it", () => {
    const old = "https://d222222abcdef8.cloudfront.net/console/";
    expect(planRedeployment("Wharf", { before: undefined, after: created })).toEqual(again);
    expect(planRedeployment("Wharf", { before: old, after: created })).toEqual(again);
  });

  test("is deployed once when it was known, and not at all without a console", () => {
    expect(planRedeployment("Wharf", { before: created, after: created })).toBeUndefined();
    expect(planRedeployment("Wharf", { before: undefined, after: undefined })).toBeUndefined();
    expect(planRedeployment("Wharf", { before: created, after: undefined })).toBeUndefined();
  });

  test("is that of its stack, unless CONSOLE_URL or PUBLIC_URL declares it", () => {
    const outputs = { ConsoleUrl: created };
    expect(known({}, outputs)).toBe(created);
    expect(known({})).toBeUndefined();
    expect(known({ CONSOLE_URL: "https://c.example/" }, outputs)).toBeUndefined();
    expect(known({ PUBLIC_URL: "https://a.example" }, outputs)).toBeUndefined();
  });

  test("with a custom domain, which is the API's alone, is that of its stack", () => {
    const domain = {
      DOMAIN_NAME: "a.example",
      DOMAIN_CERTIFICATE_ARN: "arn:aws:acm:eu-west-1:123456789012:certificate/1a-2b",
    };
    expect(known(domain, { ConsoleUrl: created })).toBe(created);
  });
});

describe("npm run deploy -- --rollback-to", () => {
  const rollback = {
    commit: "0123abc",
    prefix: "Wharf",
    directory: "/rollback",
    current: ["Wharf-Data", "Wharf-Workers", "Wharf-Agents", "Wharf-Chat", "Wharf-Api"],
    cdkArgs: ["--require-approval", "never"],
  };
  const deployed = ["Wharf-Data", "Wharf-Workers", "Wharf-Agents", "Wharf-Api", "Wharf-Console"];
  const steps: string[] = [];
  const lines: string[] = [];
  const roll = (fails?: string) =>
    rollBack(
      {
        run: (command, args, directory) => {
          steps.push(`${directory}: ${[command, ...args].join(" ")}`);
          return fails === undefined || !args.includes(fails);
        },
        readStacks: () => deployed,
        awaitQueues: async () => void steps.push("await queues"),
        print: (line) => lines.push(line),
      },
      rollback,
    );
  beforeEach(() => {
    steps.length = 0;
    lines.length = 0;
  });

  test("deploys the commit's API, then its functions, then its consumers when the queues are empty", async () => {
    await roll();
    const deploy = "npx cdk deploy --app cdk.out --exclusively --require-approval never";
    expect(steps).toEqual([
      ".: git worktree add --force --detach /rollback 0123abc",
      "/rollback: npm ci --no-audit --no-fund",
      "/rollback: npm run synth",
      `/rollback: ${deploy} Wharf-Api`,
      `/rollback: ${deploy} Wharf-Agents`,
      "await queues",
      "/rollback: npm run deploy -- --require-approval never",
      ".: git worktree remove --force /rollback",
    ]);
    expect(lines.at(-1)).toContain("Wharf-Chat is not part of 0123abc");
  });

  test("stops at the first command that fails, before anything of the consumers", async () => {
    await expect(roll("Wharf-Agents")).rejects.toThrow("Nothing after it was rolled back");
    expect(steps.at(-1)).toMatch(/Wharf-Agents$/);
  });

  test("waits until each queue was empty once, or names those that never were", async () => {
    const counts: Record<string, number[]> = { a: [2, 0], b: [0, 3, 0], c: [1] };
    const server = createServer(async (request, response) => {
      const { QueueName, QueueUrl = "" } = z
        .object({ QueueName: z.string().optional(), QueueUrl: z.string().optional() })
        .parse(await json(request));
      const left = counts[QueueUrl.split("/").at(-1) ?? ""]?.shift() ?? 1;
      const body = QueueName
        ? { QueueUrl: `http://${request.headers.host}/${QueueName}` }
        : { Attributes: { ApproximateNumberOfMessages: String(left) } };
      response.writeHead(200, { "content-type": "application/x-amz-json-1.0" });
      response.end(JSON.stringify(body));
    });
    const { url } = await listen(server);
    vi.stubEnv("AWS_ENDPOINT_URL_SQS", url);
    const wait = { timeoutMs: 0, intervalMs: 1, print: () => undefined };
    expect(await awaitEmptyQueues(["a", "b", "c"], wait)).toEqual(["a", "c"]);
    expect(await awaitEmptyQueues(["a", "b"], { ...wait, timeoutMs: 60_000 })).toEqual([]);
    server.close();
  });

  test("needs a commit, and is not passed to the CDK", () => {
    expect(readOptions(["--rollback-to", "v1", "--force"])).toMatchObject({
      rollbackTo: "v1",
      cdkArgs: ["--force"],
    });
    expect(() => readOptions(["--rollback-to"])).toThrow("needs a commit");
  });
});
