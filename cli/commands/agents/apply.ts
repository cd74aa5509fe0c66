import type { GlobalInput } from "../../command.ts";
import { failed } from "../../exit.ts";
import {
  type ApplyOptions,
  applyWork,
  type Done,
  doneText,
  isNothing,
  type Work,
  workOf,
} from "../../files/apply.ts";
import { placeOf, readFolder } from "../../files/folder.ts";
import { planFolder } from "../../files/plan.ts";
import { remoteOf } from "../../files/remote.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { confirmUnless } from "../../prompt.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput &
  ApplyOptions & { dir: string | undefined; yes: boolean; dryRun: boolean };

/** Runs `wharf agents apply`. */
export const applyAgents = async (input: Input, io: Io): Promise<void> => {
  const place = placeOf(io.cwd, input.dir);
  const session = await openSession(input, io);
  const remote = remoteOf(session);
  const work = workOf(await planFolder(remote, await readFolder(place, io.env)), input);
  const steps = stepsOf(work);
  if (isNothing(work)) {
    printMessage(io, "Nothing differs; nothing to do.");
    if (input.json) printJson(io, { items: [] });
    return;
  }
  if (input.dryRun || !input.yes) {
    for (const step of steps) printMessage(io, `Would ${step}.`);
  }
  if (input.dryRun) {
    if (input.json) printJson(io, { items: [] });
    return;
  }
  const { tenant, url } = session.connection;
  const isSure = await confirmUnless(input.yes, `Apply to ${tenant} at ${url}?`, io);
  if (!isSure) throw failed("Nothing was applied.");
  const items: Done[] = [];
  try {
    await applyWork(remote, work, input, (done) => {
      items.push(done);
      printMessage(io, doneText(done));
    });
  } finally {
    if (input.json) printJson(io, { items });
  }
};

/** Describes what is to be done, in order. */
const stepsOf = ({ skills, agents }: Work): string[] => [
  ...skills.map(({ local, stored }) => `${stored ? "update" : "create"} skill ${local.id}`),
  ...agents.flatMap(({ plan, create, update }) => {
    if (create) return `create agent ${plan.local.id}`;
    return update ? `update agent ${plan.local.id}` : [];
  }),
  ...agents.flatMap(({ plan, revise }) =>
    revise ? `create revision ${(plan.agent?.latestRevision ?? 0) + 1} of ${plan.local.id}` : [],
  ),
  ...agents.flatMap(({ plan, deploy }) => (deploy ? `deploy ${plan.local.id}` : [])),
];
