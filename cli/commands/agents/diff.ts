import type { GlobalInput } from "../../command.ts";
import { type ExitCode, exitCodes } from "../../exit.ts";
import { printProblems } from "../../files/file-problem.ts";
import { readFolder, resolvePlace } from "../../files/folder.ts";
import { planFolder } from "../../files/plan.ts";
import { createRemote } from "../../files/remote.ts";
import { agentPatch, printPatch, skillPatch, toComparisons } from "../../files/show.ts";
import { findToolWarnings } from "../../files/tool-warnings.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { dir: string | undefined };

/** Runs `wharf agents diff`; the exit code is 3 when a file differs. */
export const diffAgents = async (input: Input, io: Io): Promise<ExitCode> => {
  const place = resolvePlace(io.cwd, input.dir);
  const remote = createRemote(await openSession(input, io));
  const plan = await planFolder(remote, await readFolder(place, io.env));
  const items = toComparisons(plan);
  if (input.json) printJson(io, { items });
  else {
    for (const skill of plan.skills) printPatch(io, skillPatch(skill));
    for (const agent of plan.agents) printPatch(io, agentPatch(agent, io.env));
  }
  printProblems(io, await findToolWarnings(remote, plan.agents));
  for (const { file, secretsNotCompared: secrets } of items) {
    if (secrets === 0) continue;
    const what = secrets === 1 ? "1 secret is" : `${secrets} secrets are`;
    printMessage(io, `${file}: ${what} not compared; wharf agents apply --secrets sends them.`);
  }
  const different = items.filter(({ status }) => status !== "Same").length;
  const files = items.length === 1 ? "1 file" : `${items.length} files`;
  printMessage(
    io,
    different === 0
      ? `No differences (${files}).`
      : `${different} of ${files} ${different === 1 ? "differs" : "differ"}.`,
  );
  return different === 0 ? exitCodes.done : exitCodes.differs;
};
