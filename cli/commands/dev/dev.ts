import { mkdir } from "node:fs/promises";
import { ProblemError } from "../../../client/problem-error.ts";
import type { GlobalInput } from "../../command.ts";
import { changesIn } from "../../dev/changes.ts";
import { localProduct } from "../../dev/local-product.ts";
import { WharfError } from "../../exit.ts";
import { applyWork, doneText, isNothing, planWork } from "../../files/apply.ts";
import { FileError, printProblems } from "../../files/file-problem.ts";
import { type FolderPlace, readFolder, resolvePlace, shownPath } from "../../files/folder.ts";
import { differs, planFolder } from "../../files/plan.ts";
import { writeSchema } from "../../files/pull.ts";
import { createRemote, type Remote } from "../../files/remote.ts";
import { agentPatch, printPatch, skillPatch } from "../../files/show.ts";
import type { Io } from "../../io.ts";
import { printMessage } from "../../output.ts";
import { problemLine } from "../../problem-line.ts";
import { createSession } from "../../session.ts";

type Input = GlobalInput & { dir: string | undefined };

/** Runs `wharf dev` until Ctrl-C. */
export const develop = async (input: Input, io: Io): Promise<void> => {
  const signal = io.interrupt();
  const place = resolvePlace(io.cwd, input.dir);
  const { connection, stop } = await localProduct(input, io);
  try {
    await mkdir(place.folder, { recursive: true });
    await writeSchema(place);
    const remote = createRemote(createSession(connection, io));
    const buildTryItUrl = (id: string): string =>
      `${connection.url}/console/t/${connection.tenant}/agents/${id}/try`;
    const changes = await changesIn(place.folder, signal);
    let shown: readonly string[] = await applyOnce(place, remote, io, "all");
    for (;;) {
      for (const id of shown) printMessage(io, `Try it: ${buildTryItUrl(id)}`);
      printMessage(io, `Watching ${shownPath(place, place.folder)}. Press Ctrl-C to stop.`);
      if ((await changes.next()).done) return;
      shown = await applyOnce(place, remote, io, "changed");
    }
  } finally {
    await stop();
  }
};

/** Applies and deploys what differs; prints it, or why it can't be. Returns the agents to try. */
const applyOnce = async (
  place: FolderPlace,
  remote: Remote,
  io: Io,
  toTry: "all" | "changed",
): Promise<string[]> => {
  try {
    const options = { deploy: true, secrets: false, comment: undefined };
    const plan = await planFolder(remote, await readFolder(place, io.env));
    for (const skill of plan.skills) if (skill.stored) printPatch(io, skillPatch(skill));
    for (const agent of plan.agents) if (agent.agent) printPatch(io, agentPatch(agent, io.env));
    const work = planWork(plan, options);
    await applyWork(remote, work, options, (done) => {
      printMessage(io, doneText(done));
      printProblems(io, done.warnings ?? []);
    });
    if (plan.agents.length === 0) printMessage(io, noAgents(place));
    else if (isNothing(work)) printMessage(io, "No differences.");
    return plan.agents
      .filter((agent) => toTry === "all" || differs(agent))
      .map(({ local }) => local.id);
  } catch (error) {
    if (error instanceof FileError) printProblems(io, error.problems);
    else if (error instanceof ProblemError) printMessage(io, `wharf: ${problemLine(error)}`);
    else if (error instanceof WharfError) printMessage(io, `wharf: ${error.message}`);
    else throw error;
    return [];
  }
};

const noAgents = (place: FolderPlace): string => {
  const folder = shownPath(place, place.folder);
  return `There are no agents in ${folder}. wharf agents pull hello ${folder} writes one.`;
};
