import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { GlobalInput } from "../../command.ts";
import { exitCodes, failed, usage, WharfError } from "../../exit.ts";
import { agentFileEnding } from "../../files/agent-file.ts";
import { FileError } from "../../files/file-problem.ts";
import {
  type Folder,
  type FolderPlace,
  readFolder,
  resolvePlace,
  shownPath,
} from "../../files/folder.ts";
import { createNames } from "../../files/names.ts";
import { readAgentState, readDisplayName } from "../../files/plan.ts";
import { nameFor, type Pulled, pullAgent, pullSkill, writeSchema } from "../../files/pull.ts";
import { listReferences } from "../../files/references.ts";
import { createRemote, type Remote } from "../../files/remote.ts";
import { writtenIn } from "../../files/render-agent.ts";
import { requireFileId } from "../../files/write-file.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & {
  agent: string | undefined;
  dir: string | undefined;
  all: boolean;
  revision: number | undefined;
};

/** Runs `wharf agents pull`. */
export const pullAgents = async (input: Input, io: Io): Promise<void> => {
  const { agent: id, all, revision } = input;
  if (!all && id === undefined) throw usage("Name the agent to pull, or pull all with --all.");
  if (all && (input.dir !== undefined || revision !== undefined)) {
    throw usage("--all takes a folder, and neither an agent nor --revision.");
  }
  const place = resolvePlace(io.cwd, all ? id : input.dir);
  const remote = createRemote(await openSession(input, io));
  const ids = all
    ? (await remote.listAgents()).map((agent) => requireFileId("agent", agent.id))
    : [id ?? ""];
  const pulled = await pullInto(place, { remote, io }, ids, revision);
  if (input.json) return printJson(io, { items: pulled });
  for (const { kind, id, file, revision, changed } of pulled) {
    const what = revision === null ? `${kind} ${id}` : `${id}, revision ${revision}`;
    printMessage(io, `${changed ? "Pulled" : "Unchanged:"} ${what}: ${file}`);
  }
};

const pullInto = async (
  place: FolderPlace,
  { remote, io }: { remote: Remote; io: Io },
  ids: readonly string[],
  revision: number | undefined,
): Promise<Pulled[]> => {
  await mkdir(place.folder, { recursive: true });
  const folder = await readFolder(place, io.env);
  const names = createNames(remote, {
    agent: folder.agents.map(({ id, value }) => ({ id, displayName: readDisplayName(id, value) })),
  });
  const taken = new Set([...folder.agents.map(({ name }) => name), ...ids]);
  const pulled: Pulled[] = [];
  const skills = new Set<string>();
  for (const id of ids) {
    const state = await readAgentState(remote, id, revision);
    if (!state)
      throw new WharfError(exitCodes.notFound, `There is no agent ${JSON.stringify(id)}.`);
    const local = folder.agents.find((agent) => agent.id === id);
    const name = local?.name ?? nameFor(state.agent, taken);
    taken.add(name);
    if (!local) requireFree(place, folder, name);
    const written = local ? await writtenIn(local, names) : new Map<string, string>();
    const rendering = { environment: io.env, names, written };
    pulled.push(await pullAgent(place, state, { name, local }, rendering));
    for (const { kind, text } of state.stored ? listReferences(state.stored.content) : []) {
      if (kind === "skill") skills.add(text);
    }
  }
  for (const id of skills) {
    const skill = await pullSkill(place, remote, id);
    if (skill) pulled.push(skill);
    else
      printMessage(
        io,
        `wharf: The agent refers to the skill ${JSON.stringify(id)}, which does not exist.`,
      );
  }
  await writeSchema(place);
  return pulled;
};

/** Throws when the file that an agent would be written to has another agent, or can't be read. */
const requireFree = (place: FolderPlace, { agents, problems }: Folder, name: string): void => {
  const file = shownPath(place, join(place.folder, name + agentFileEnding));
  const own = problems.filter((problem) => problem.file === file);
  if (own.length > 0) throw new FileError(own);
  const other = agents.find((agent) => agent.name === name);
  if (other) throw failed(`${file} is the file of the agent ${other.id}. Rename it first.`);
};
