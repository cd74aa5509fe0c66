import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { queueNames } from "../../lib/platform/queue/queues.ts";
import { groupByArea } from "../functions/areas.ts";
import { product } from "../functions/product.ts";
import type { Config } from "../settings/config.ts";
import { queueName, stackName } from "../settings/names.ts";
import { CommandError } from "../shell/command.ts";
import { awaitEmptyQueues } from "./await-queues.ts";
import { type RollbackDeps, readStacks, rollBack } from "./rollback.ts";

const waitMs = 15 * 60 * 1_000;
const intervalMs = 15_000;

const print = (line: string): void => console.log(line);

/**
 * Rolls the stacks of an installation back to a commit of this repository, which gives out the address of the console as
 * before. Throws a CommandError.
 */
export const runRollback = async (
  { STACK_PREFIX: prefix }: Config,
  {
    commit,
    consoleUrl,
    cdkArgs,
  }: { commit: string; consoleUrl: string | undefined; cdkArgs: readonly string[] },
): Promise<void> => {
  const env = { ...process.env, ...(consoleUrl !== undefined && { CONSOLE_URL: consoleUrl }) };
  const run: RollbackDeps["run"] = (command, args, cwd) =>
    spawnSync(command, args, { cwd, env, stdio: "inherit" }).status === 0;
  const found = spawnSync("git", ["rev-parse", "--verify", "--quiet", `${commit}^{commit}`], {
    encoding: "utf8",
  });
  if (found.status !== 0) throw new CommandError(`${commit} is not a commit of this repository.`);
  const queues = queueNames.map((queue) => queueName(prefix, queue));
  const awaitQueues = async (): Promise<void> => {
    const left = await awaitEmptyQueues(queues, { timeoutMs: waitMs, intervalMs, print });
    if (left.length === 0) return;
    print(
      `Still not empty: ${left.join(", ")}. Messages that the earlier version cannot read go to the dead-letter queues; npm run redrive returns them after the next deployment.`,
    );
  };
  const id = found.stdout.trim();
  const directory = resolve("dist/rollback", id);
  // Of a rollback that failed.
  rmSync(directory, { recursive: true, force: true });
  await rollBack(
    { run, readStacks, awaitQueues, print },
    {
      commit: id,
      prefix,
      directory,
      current: ["Data", "Workers", ...groupByArea(product.http).keys(), "Api"].map((contents) =>
        stackName(prefix, contents),
      ),
      cdkArgs,
    },
  );
};
