import { afterAll, beforeAll, expect, test } from "vitest";
import { readPages } from "./read-page.ts";
import { runPage } from "./run-page.ts";
import { startWharfServer, type WharfServer } from "./wharf-server.ts";

let wharf: WharfServer;
beforeAll(async () => {
  wharf = await startWharfServer();
});
afterAll(() => wharf.close());

const pages = await readPages();
/** `test/settings` runs it: it fires the schedules of all tenants. */
const elsewhere = ["docs/schedules.md"];
/** Runs the tool that it installs, in processes of its own. */
const installs = "docs/agents-as-files.md";
const withBlocks = pages.filter(
  ({ name, blocks }) => !elsewhere.includes(name) && blocks.some(({ skipped }) => !skipped),
);

/** Pages that `npm test` runs; the nightly run has all of them. */
const first = ["README.md", "docs/executions.md"];
const [here, others] = [true, false].map((isFirst) =>
  withBlocks
    .filter(({ name }) => first.includes(name) === isFirst)
    .map((page) => [page.name, page] as const),
);

const run = (name: string, page: (typeof withBlocks)[number]) =>
  runPage(page, name === installs ? undefined : wharf.directory);

test.concurrent.each(here ?? [])("%s", run);
test.concurrent.each(others ?? [])("%s", { tags: "nightly" }, run);

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
    "docs/benchmarks.md: needs an installation of LangGraph",
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
    "docs/tutorials/github-pushes.md: needs a tunnel and a repository",
  ]);
});
