import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startLocalStack, type TestStack } from "../harness/local-stack.ts";
import { type Page, readPages } from "./read-page.ts";
import { runBlocks, type Shell } from "./run-blocks.ts";
import { endsAsShown } from "./shown.ts";
import { startStandIns } from "./stand-ins.ts";

const pages = await readPages();
const [readme, ...others] = pages as [Page, ...Page[]];
const withBlocks = others.filter(({ blocks }) => blocks.some(({ skipped }) => !skipped));

/** A folder that looks like a clone in which `npm start` runs. */
const directory = mkdtempSync(join(tmpdir(), "wharf-docs-"));
const dataDir = join(directory, ".wharf");
const saved = join(directory, "from-readme.sh");
let stack: TestStack;
let standIns: Awaited<ReturnType<typeof startStandIns>>;
let shell: Shell;

beforeAll(async () => {
  const root = join(import.meta.dirname, "../..");
  for (const name of readdirSync(root).filter((each) => ![".git", ".wharf"].includes(each))) {
    symlinkSync(join(root, name), join(directory, name));
  }
  mkdirSync(join(directory, "home"));
  standIns = await startStandIns();
  stack = await startLocalStack({
    dataDir,
    settings: { ALLOW_PRIVATE_ADDRESSES: "true", ...standIns.settings },
  });
  const home = join(directory, "home");
  shell = {
    directory,
    environment: {
      HOME: home,
      PATH: `${home}/.local/bin:${process.env.PATH}`,
      npm_config_update_notifier: "false",
    },
    addresses: { "http://127.0.0.1:8787": stack.baseUrl, ...standIns.addresses },
  };
});

afterAll(async () => {
  await stack.close();
  await standIns.close();
  rmSync(directory, { recursive: true, force: true });
});

const run = async ({ name, blocks }: Page, around: { before?: string; after?: string }) => {
  const runnable = blocks.filter(({ skipped }) => skipped === undefined);
  const { failedAt, comparisons, output } = await runBlocks(runnable, shell, around);
  const failure = failedAt && `${name}:${failedAt} failed:\n${output.slice(-3_000)}`;
  expect(failure).toBeUndefined();
  for (const { line, shown, printed } of comparisons) {
    const difference = { page: `${name}:${line}`, shown, printed: printed.trimEnd() };
    expect(endsAsShown(shown, printed) ? undefined : difference).toBeUndefined();
  }
};

test("README.md", () =>
  run(readme, { after: `{ declare -p KEY URL TOKEN; declare -f; } > '${saved}'` }));

test.each(withBlocks.map((page) => [page.name, page] as const))("%s", (_, page) =>
  run(page, { before: `source '${saved}'` }),
);

test("blocks that are not run have a reason", () => {
  const skipped = pages.flatMap(({ name, blocks }) =>
    blocks.flatMap(({ skipped: reason }) => (reason === undefined ? [] : [`${name}: ${reason}`])),
  );
  expect(skipped).toEqual([
    "README.md: the test starts the product itself",
    "README.md: runs this test",
    "README.md: needs an AWS account",
    "docs/benchmarks.md: runs for minutes",
    "docs/benchmarks.md: needs an installation of n8n",
    "docs/benchmarks.md: runs for minutes",
    "docs/cli.md: needs a browser",
    "docs/cli.md: needs a second deployment",
    "docs/cli.md: runs until Ctrl-C",
    "docs/cli.md: the execution has ended",
    "docs/cli.md: runs until Ctrl-C",
    "docs/cli.md: the experiment has ended",
    "docs/cli.md: runs until Ctrl-C",
    "docs/cli.md: revokes the key that the page uses",
    "docs/developing.md: needs a registry that answers audits",
    "docs/developing.md: needs OSV-Scanner",
    "docs/faults.md: runs for minutes",
    "docs/tutorials/github-pushes.md: needs a tunnel and a repository",
    "docs/webhook-providers.md: placeholders; the first command is run",
  ]);
});
