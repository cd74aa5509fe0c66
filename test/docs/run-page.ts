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
import { expect, inject } from "vitest";
import * as z from "zod";
import { dataFolderPaths } from "../../infra/local/data-folder.ts";
import { LocalJson, seedNames } from "../../infra/local/seed.ts";
import { helloRevision, triageRevision } from "../../infra/local/seed-agents.ts";
import { newOrganization, stack } from "../harness/api.ts";
import type { Page } from "./read-page.ts";
import { runBlocks, type Shell } from "./run-blocks.ts";
import { endsAsShown } from "./shown.ts";

const root = join(import.meta.dirname, "../..");
const Issued = z.object({ key: z.string() });

/**
 * Creates a folder that looks like a clone, and a home with the tool installed as in docs/cli.md; `commands` is a folder
 * of commands that precede it.
 */
const openClone = (commands: string | undefined) => {
  const directory = mkdtempSync(join(tmpdir(), "wharf-docs-"));
  for (const name of readdirSync(root).filter((entry) => ![".git", ".wharf"].includes(entry))) {
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
      PATH: [commands, `${home}/.local/bin`, process.env.PATH].filter(Boolean).join(":"),
      NODE_COMPILE_CACHE: join(tmpdir(), "wharf-docs-compiled"),
      npm_config_update_notifier: "false",
    },
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
};

type PageShell = Shell & { close: () => Promise<void> | void };

/** Creates a clone in which the stack of the suite runs, with a demonstration in an organization of its own. */
const openShared = async (commands: string | undefined): Promise<PageShell> => {
  const clone = openClone(commands);
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

/**
 * Runs the blocks of a page on the stack of the suite, and compares what they print with what the page shows. `commands`
 * is a folder of commands that its blocks run in place of the installed ones.
 */
export const runPage = async ({ name, blocks }: Page, commands?: string): Promise<void> => {
  const shell = await openShared(commands);
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
};
