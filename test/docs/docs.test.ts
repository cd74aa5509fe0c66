import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, inject, test } from "vitest";
import * as z from "zod";
import { dataFolderPaths } from "../../infra/local/data-folder.ts";
import { LocalJson, seedNames } from "../../infra/local/seed.ts";
import { helloRevision, triageRevision } from "../../infra/local/seed-agents.ts";
import { newOrganization, stack } from "../harness/api.ts";
import { startLocalStack } from "../harness/local-stack.ts";
import { readPages } from "./read-page.ts";
import { runBlocks, type Shell } from "./run-blocks.ts";
import { endsAsShown } from "./shown.ts";

const pages = await readPages();
const withBlocks = pages.filter(({ blocks }) => blocks.some(({ skipped }) => !skipped));

const root = join(import.meta.dirname, "../..");
const Issued = z.object({ key: z.string() });

/** Creates a folder that looks like a clone, with a home in which the tool is installed as docs/cli.md says. */
const openClone = () => {
  const directory = mkdtempSync(join(tmpdir(), "wharf-docs-"));
  for (const name of readdirSync(root).filter((each) => ![".git", ".wharf"].includes(each))) {
    symlinkSync(join(root, name), join(directory, name));
  }
  const home = join(directory, "home");
  mkdirSync(join(home, ".local", "bin"), { recursive: true });
  symlinkSync(join(root, "cli", "wharf.mjs"), join(home, ".local", "bin", "wharf"));
  return {
    directory,
    dataDir: join(directory, ".wharf"),
    environment: {
      HOME: home,
      PATH: `${home}/.local/bin:${process.env.PATH}`,
      NODE_COMPILE_CACHE: join(tmpdir(), "wharf-docs-compiled"),
      npm_config_update_notifier: "false",
    },
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
};

type PageShell = Shell & { close: () => Promise<void> | void };

/** Creates a clone in which the stack of the suite runs, with a demonstration in an organization of its own. */
const openShared = async (): Promise<PageShell> => {
  const clone = openClone();
  const { baseUrl, dataDir } = inject("stack");
  mkdirSync(clone.dataDir);
  const { directory, localJson, ...others } = dataFolderPaths(dataDir);
  for (const path of Object.values(others)) {
    if (dirname(path) === directory) symlinkSync(path, join(clone.dataDir, basename(path)));
  }
  const own = await newOrganization();
  await own.deployAgent(seedNames.agentId, helloRevision, "Hello");
  await own.deployAgent(seedNames.triageAgentId, triageRevision, "Triage");
  const runner = { name: "local runner", preset: "Runner" };
  const { key } = Issued.parse((await own.send("POST", "/apiKeys:generate", runner)).body);
  const content: LocalJson = {
    ...LocalJson.parse(JSON.parse(readFileSync(localJson, "utf8"))),
    organizationId: own.org,
    tenantId: own.tenantId,
    tenantSlug: own.slug,
    userToken: await stack().token({ org: own.org, role: "admin", user: seedNames.admin }),
    apiKey: key,
  };
  writeFileSync(join(clone.dataDir, "local.json"), JSON.stringify(content));
  return {
    ...clone,
    replacements: {
      ...inject("pageAddresses"),
      "http://127.0.0.1:8787": baseUrl,
      "tenant demo (Demo)": `tenant ${own.slug} (Test)`,
      "--tenant demo": `--tenant ${own.slug}`,
      "run --silent token --": `run --silent token -- --org ${own.org}`,
    },
  };
};

/** Creates a clone with a stack of its own, for a page that reads or changes what all tenants share. */
const openAlone = async (): Promise<PageShell> => {
  const clone = openClone();
  const alone = await startLocalStack({ dataDir: clone.dataDir });
  return {
    ...clone,
    replacements: { "http://127.0.0.1:8787": alone.baseUrl },
    close: async () => {
      await alone.close();
      clone.close();
    },
  };
};

/** Fires the schedules of all tenants. */
const alone = ["docs/schedules.md"];

test.concurrent.each(withBlocks.map((page) => [page.name, page] as const))(
  "%s",
  async (_, { name, blocks }) => {
    const shell = await (alone.includes(name) ? openAlone() : openShared());
    try {
      const runnable = blocks.filter(({ skipped }) => skipped === undefined);
      const before = name === "README.md" ? "" : "source docs/api.sh";
      const { failedAt, comparisons, output } = await runBlocks(runnable, shell, before);
      const failure = failedAt && `${name}:${failedAt} failed:\n${output.slice(-3_000)}`;
      expect(failure).toBeUndefined();
      for (const { line, shown, printed } of comparisons) {
        const difference = { page: `${name}:${line}`, shown, printed: printed.trimEnd() };
        expect(endsAsShown(shown, printed) ? undefined : difference).toBeUndefined();
      }
    } finally {
      await shell.close();
    }
  },
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
    "docs/webhook-providers.md: placeholders; the first command is run",
  ]);
});
