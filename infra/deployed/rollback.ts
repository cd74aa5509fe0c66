import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { stackName } from "../settings/names.ts";
import { CommandError } from "../shell/command.ts";

/** Effects of a rollback outside its own process. */
export type RollbackDeps = {
  /** Runs a command in a directory; returns whether it succeeded. */
  run: (command: string, args: readonly string[], directory: string) => boolean;
  /** Names of the stacks in a cloud assembly, in the order of a deployment. */
  readStacks: (assembly: string) => readonly string[];
  /** Waits until consumers have processed the messages of the version that is rolled back. */
  awaitQueues: () => Promise<void>;
  print: (line: string) => void;
};

export type Rollback = {
  commit: string;
  prefix: string;
  /** Directory for a worktree of the commit. */
  directory: string;
  /** Names of the stacks of this version, to name those that the commit does not have. */
  current: readonly string[];
  cdkArgs: readonly string[];
};

const Manifest = z.object({ artifacts: z.record(z.string(), z.object({ type: z.string() })) });

/** Reads the names of the stacks of a cloud assembly. */
export const readStacks = (assembly: string): string[] => {
  const text = readFileSync(join(assembly, "manifest.json"), "utf8");
  const { artifacts } = Manifest.parse(JSON.parse(text));
  return Object.keys(artifacts).filter((id) => artifacts[id]?.type === "aws:cloudformation:stack");
};

/**
 * Deploys an earlier commit in the order that keeps messages readable: the API and its functions first, so that nothing
 * sends messages of the newer version, the consumers when those are processed, then the rest as in any deployment.
 * Throws a CommandError for the first command that fails; repeating the rollback is safe.
 */
export const rollBack = async (
  { run, readStacks: read, awaitQueues, print }: RollbackDeps,
  { commit, prefix, directory, current, cdkArgs }: Rollback,
): Promise<void> => {
  const step = (command: string, args: readonly string[], at = directory): void => {
    print(`${command} ${args.join(" ")}`);
    if (!run(command, args, at)) {
      throw new CommandError(
        `${command} ${args[0]} failed. Nothing after it was rolled back; run the same command again.`,
      );
    }
  };
  step("git", ["worktree", "add", "--force", "--detach", directory, commit], ".");
  step("npm", ["ci", "--no-audit", "--no-fund"]);
  step("npm", ["run", "synth"]);
  const stacks = read(join(directory, "cdk.out"));
  const api = stackName(prefix, "Api");
  const others = ["Data", "Workers", "Operations", "Console"].map((stack) =>
    stackName(prefix, stack),
  );
  const areas = stacks.filter((stack) => stack !== api && !others.includes(stack));
  const deploy = ["cdk", "deploy", "--app", "cdk.out", "--exclusively", ...cdkArgs];
  step("npx", [...deploy, api]);
  if (areas.length > 0) step("npx", [...deploy, ...areas]);
  await awaitQueues();
  step("npm", ["run", "deploy", "--", ...cdkArgs]);
  step("git", ["worktree", "remove", "--force", directory], ".");
  for (const stack of current.filter((name) => !stacks.includes(name))) {
    print(`${stack} is not part of ${commit}. Nothing calls it; delete it in the console.`);
  }
};
