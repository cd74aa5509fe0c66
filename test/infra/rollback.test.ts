import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { queueName } from "../../infra/settings/names.ts";
import { queueNames } from "../../lib/platform/queue/queues.ts";
import { listen } from "../harness/listen.ts";

const command = resolve(import.meta.dirname, "../../infra/commands/deploy.ts");
const root = mkdtempSync(join(tmpdir(), "wharf-rollback-"));
const repository = join(root, "repository");
const record = join(root, "record");
const consoleUrl = "https://d111111abcdef8.cloudfront.net/console/";

/** Queues with messages that the command counted. */
const counted: string[] = [];

/** CloudFormation with the outputs of the console's stack, and SQS with empty queues. */
const aws = createServer(async (request, response) => {
  const body = await text(request);
  if (body.includes("Action=DescribeStacks")) {
    const [key, value] = ["ConsoleUrl", consoleUrl];
    response.end(
      `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>Wharf-Console</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Outputs><member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member></Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
    );
    return;
  }
  const { QueueName, QueueUrl } = Queue.parse(JSON.parse(body));
  if (QueueUrl !== undefined) counted.push(QueueUrl.split("/").at(-1) ?? "");
  response.setHeader("content-type", "application/x-amz-json-1.0");
  response.end(
    JSON.stringify(
      QueueName ? { QueueUrl: `http://${request.headers.host}/${QueueName}` } : { Attributes: {} },
    ),
  );
});
const Queue = z.object({ QueueName: z.string().optional(), QueueUrl: z.string().optional() });

const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
    cwd: repository,
    encoding: "utf8",
  }).trim();

const commit = (version: string): string => {
  writeFileSync(join(repository, "version"), version);
  git("add", ".");
  git("commit", "-qm", version);
  return git("rev-parse", "HEAD");
};

/** Stacks of the earlier commit, which has no area AuditRecords. */
const earlierStacks = ["Data", "Workers", "Agents", "Chat", "Api", "Operations", "Console"];

let earlier: string;
let env: Record<string, string>;
beforeAll(async () => {
  mkdirSync(repository);
  git("init", "-q");
  earlier = commit("earlier");
  commit("newer");
  const manifest = join(root, "manifest.json");
  const artifacts = earlierStacks.map((name) => [
    `Wharf-${name}`,
    { type: "aws:cloudformation:stack" },
  ]);
  writeFileSync(manifest, JSON.stringify({ artifacts: Object.fromEntries(artifacts) }));
  // Each writes the version of the sources that it runs in, its arguments and the address of the console.
  const line = `echo "$(cat version): $(basename "$0") $* ($CONSOLE_URL)" >> ${record}`;
  const executables = {
    npm: `if [ "$1 $2" = "run synth" ]; then mkdir cdk.out && cp ${manifest} cdk.out/; fi`,
    npx: 'case "$*" in *"$FAILING_STACK"*) exit 1 ;; esac',
  };
  for (const [name, script] of Object.entries(executables)) {
    mkdirSync(join(root, "bin"), { recursive: true });
    writeFileSync(join(root, "bin", name), `#!/bin/sh\n${line}\n${script}\n`, { mode: 0o755 });
  }
  env = {
    PATH: `${join(root, "bin")}:${process.env.PATH}`,
    HOME: root,
    AWS_ENDPOINT_URL: (await listen(aws)).url,
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE",
    AWS_SECRET_ACCESS_KEY: "secret",
  };
});
afterAll(() => {
  aws.close();
  rmSync(root, { recursive: true });
});

/** Runs `npm run deploy -- --rollback-to`, and returns the recorded commands. */
const rollBack = async (to: string, failingStack: string) => {
  rmSync(record, { force: true });
  const args = [command, "--rollback-to", to, "--require-approval", "never"];
  const run = await new Promise<{ code: unknown; stdout: string; stderr: string }>((done) => {
    execFile(
      process.execPath,
      args,
      { cwd: repository, env: { ...env, FAILING_STACK: failingStack } },
      (error, stdout, stderr) => done({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
  return { ...run, recorded: readFileSync(record, "utf8").trim().split("\n") };
};

const at = (line: string) => `earlier: ${line} (${consoleUrl})`;
const deploy = "npx cdk deploy --app cdk.out --exclusively --require-approval never";
const steps = [
  at("npm ci --no-audit --no-fund"),
  at("npm run synth"),
  at(`${deploy} Wharf-Api`),
  at(`${deploy} Wharf-Agents Wharf-Chat`),
  at("npm run deploy -- --require-approval never"),
];

test("npm run deploy -- --rollback-to fails at a stack, and completes when it is run again", {
  tags: "nightly",
}, async () => {
  const failed = await rollBack("HEAD~1", "Wharf-Agents");
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain("Nothing after it was rolled back; run the same command again.");
  expect(failed.recorded).toEqual(steps.slice(0, 4));
  expect(counted).toEqual([]);

  const { code, stdout, recorded } = await rollBack("HEAD~1", "none");
  expect(code).toBe(0);
  expect(recorded).toEqual(steps);
  expect(counted.toSorted()).toEqual(queueNames.map((name) => queueName("Wharf", name)).sort());
  expect(stdout).toContain(`Wharf-AuditRecords is not part of ${earlier}.`);
  expect(stdout).not.toContain("Wharf-Chat is not part of");
  expect(existsSync(join(repository, "dist/rollback", earlier))).toBe(false);
  expect(git("worktree", "list").split("\n")).toHaveLength(1);
});
