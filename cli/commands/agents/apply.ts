import type { GlobalInput } from "../../command.ts";
import { type ExitCode, exitCodes, failed, usage } from "../../exit.ts";
import {
  findTestedAgents,
  parseRequirements,
  type Requirement,
} from "../../experiments/requirements.ts";
import {
  type ApplyOptions,
  applyWork,
  type Done,
  doneText,
  isNothing,
  planWork,
  type Work,
} from "../../files/apply.ts";
import { type FileProblem, printProblems } from "../../files/file-problem.ts";
import { readFolder, resolvePlace } from "../../files/folder.ts";
import { type Plan, planFolder } from "../../files/plan.ts";
import { createRemote } from "../../files/remote.ts";
import { findToolWarnings } from "../../files/tool-warnings.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { confirmUnless } from "../../prompt.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput &
  Omit<ApplyOptions, "requirements"> & {
    dir: string | undefined;
    yes: boolean;
    dryRun: boolean;
    require: readonly string[];
  };

/** Runs `wharf agents apply`. */
export const applyAgents = async (input: Input, io: Io): Promise<ExitCode> => {
  const required = parseRequirements(input.require);
  if (required.length > 0 && !input.deploy) {
    throw usage("--require requires --deploy.");
  }
  const place = resolvePlace(io.cwd, input.dir);
  const session = await openSession(input, io);
  const remote = createRemote(session);
  const requirements = await findTestedAgents(session, required);
  const options = { ...input, requirements };
  const plan = await planFolder(remote, await readFolder(place, io.env));
  const work = planWork(plan, options);
  checkTested(plan, work, requirements);
  const steps = describeSteps(work);
  if (isNothing(work)) {
    printMessage(io, "No differences; nothing to do.");
    if (input.json) printJson(io, { items: [] });
    return exitCodes.done;
  }
  const warned = await findToolWarnings(
    remote,
    work.agents.flatMap(({ plan, revise }) => (revise ? [plan] : [])),
  );
  printProblems(io, warned);
  if (input.dryRun || !input.yes) {
    for (const step of steps) printMessage(io, `Would ${step}.`);
  }
  if (input.dryRun) {
    if (input.json) printJson(io, { items: [] });
    return exitCodes.done;
  }
  const { tenant, url } = session.connection;
  const isSure = await confirmUnless(input.yes, `Apply to ${tenant} at ${url}?`, io);
  if (!isSure) throw failed("Nothing was applied.");
  const items: Done[] = [];
  try {
    await applyWork(remote, work, options, (done) => {
      items.push(done);
      printMessage(io, doneText(done));
      const isNew = ({ file, pointer }: FileProblem) =>
        !warned.some((problem) => problem.file === file && problem.pointer === pointer);
      printProblems(io, (done.warnings ?? []).filter(isNew));
    });
  } finally {
    if (input.json) printJson(io, { items });
  }
  const isShort = items.some(({ action }) => action === "FellShort");
  return isShort ? exitCodes.belowMinimum : exitCodes.done;
};

/** Throws before anything is done when an experiment cannot have tested what would be deployed. */
const checkTested = (
  { agents }: Plan,
  work: Work,
  requirements: ReadonlyMap<string, Requirement>,
): void => {
  for (const [id, { experimentId }] of requirements) {
    if (agents.every(({ local }) => local.id !== id)) {
      throw failed(`The experiment ${experimentId} tested ${id}, which is not in the folder.`);
    }
  }
  for (const { plan, revise, requirement } of work.agents) {
    if (!requirement || !revise) continue;
    const { id } = plan.local;
    throw failed(
      `${id} differs from its latest revision, and a new one has no results yet. Apply without --deploy, and run an experiment with the new revision first.`,
    );
  }
};

/** Describes the planned steps, in order. */
const describeSteps = ({ skills, agents }: Work): string[] => [
  ...skills.map(({ local, stored }) => `${stored ? "update" : "create"} skill ${local.id}`),
  ...agents.flatMap(({ plan, create, update }) => {
    if (create) return `create agent ${plan.local.id}`;
    return update ? `update agent ${plan.local.id}` : [];
  }),
  ...agents.flatMap(({ plan, revise }) =>
    revise ? `create revision ${(plan.agent?.latestRevision ?? 0) + 1} of ${plan.local.id}` : [],
  ),
  ...agents.flatMap(({ plan, deploy, requirement }) => {
    const condition = requirement
      ? ` if it reached its minimum in ${requirement.experimentId}`
      : "";
    return deploy ? `deploy ${plan.local.id}${condition}` : [];
  }),
];
