import { readdir, readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { findUnknownMembers } from "../../lib/platform/http/unknown-members.ts";
import { toIssuePointer, zodErrorMap } from "../../lib/platform/http/zod-error-map.ts";
import { isRecord } from "../../lib/values/json/json.ts";
import { failed } from "../exit.ts";
import { AgentFile, agentFileEnding } from "./agent-file.ts";
import type { Environment } from "./environment.ts";
import type { FileProblem } from "./file-problem.ts";
import { type Members, without } from "./json-value.ts";
import { readSkillFile, type SkillContent } from "./skill-file.ts";
import { parseYaml, problemAt, readValue, type YamlDocument } from "./yaml-document.ts";

/** A file with an agent. */
export type LocalAgent = {
  id: string;
  /** Name of the file without its ending. */
  name: string;
  path: string;
  yaml: YamlDocument;
  /** Members of the file, variables replaced. */
  value: Members;
};

/** A folder with a skill. */
export type LocalSkill = {
  id: string;
  path: string;
  file: string;
  text: string;
  skill: SkillContent;
};

/** The agents and skills of a folder, and the errors in its files. */
export type Folder = { agents: LocalAgent[]; skills: LocalSkill[]; problems: FileProblem[] };

/** A folder of agents: its absolute path, and the folder that file names are shown relative to. */
export type FolderPlace = { folder: string; cwd: string };

/** Returns the place of a folder given on the command line. */
export const resolvePlace = (cwd: string, folder: string | undefined): FolderPlace => ({
  cwd,
  folder: resolve(cwd, folder ?? "."),
});

/** Returns a path as messages show it: relative to the current folder if it is inside. */
export const shownPath = ({ cwd }: FolderPlace, path: string): string => {
  const shown = relative(cwd, path);
  return shown.startsWith("..") ? path : shown || ".";
};

/** Reads all agents and skills of a folder. */
export const readFolder = async (place: FolderPlace, environment: Environment): Promise<Folder> => {
  const names = await namesIn(place.folder);
  if (names === undefined) throw failed(`There is no folder ${shownPath(place, place.folder)}.`);
  const files = names.filter((name) => name.endsWith(agentFileEnding)).sort();
  const agents = await Promise.all(
    files.map(async (name) => {
      const path = join(place.folder, name);
      return readAgent(place, path, await readFile(path, "utf8"), environment);
    }),
  );
  const skills = await readSkills(place);
  const read = agents.flatMap(({ agent }) => agent ?? []);
  return {
    agents: read,
    skills: skills.flatMap(({ skill }) => skill ?? []),
    problems: [...agents, ...skills].flatMap(({ problems }) => problems).concat(sameIds(read)),
  };
};

/** Reads an agent's file. */
export const readAgent = (
  place: FolderPlace,
  path: string,
  text: string,
  environment: Environment,
): { agent?: LocalAgent; problems: FileProblem[] } => {
  const file = shownPath(place, path);
  const name = parseAgentFileName(path);
  const { yaml, problems: syntax } = parseYaml(file, text);
  if (syntax.length > 0) return { problems: syntax };
  const { value, problems } = readValue(yaml, environment);
  if (!isRecord(value)) {
    return { problems: [problemAt(yaml, "", "must be an agent: lines of `key: value`")] };
  }
  const own = without(
    value,
    Object.keys(value).filter((key) => key.startsWith("x-")),
  );
  const unknown = findUnknownMembers(AgentFile, own, true);
  const parsed = AgentFile.safeParse(own, { error: zodErrorMap });
  const issues = (parsed.error?.issues ?? []).map(({ path: at, message }) => ({
    path: at,
    detail: message,
  }));
  const wrong = [...issues, ...unknown].map((issue) =>
    problemAt(yaml, toIssuePointer(issue.path), issue.detail),
  );
  const id = typeof own.id === "string" ? own.id : name;
  if (own.id === undefined && !AgentFile.shape.id.safeParse(name).success) {
    wrong.push(problemAt(yaml, "", `needs an id: ${JSON.stringify(name)} can't be one`));
  }
  return { agent: { id, name, path, yaml, value: own }, problems: [...problems, ...wrong] };
};

const parseAgentFileName = (path: string): string =>
  (path.split(/[\\/]/).at(-1) ?? "").slice(0, -agentFileEnding.length);

const sameIds = (agents: readonly LocalAgent[]): FileProblem[] =>
  agents.flatMap(({ id, yaml }, at) => {
    const other = agents.slice(0, at).find((agent) => agent.id === id);
    return other ? [problemAt(yaml, "/id", `is the agent of ${other.yaml.file}, too`)] : [];
  });

const readSkills = async (
  place: FolderPlace,
): Promise<{ skill?: LocalSkill; problems: FileProblem[] }[]> => {
  const names = (await namesIn(join(place.folder, "skills"))) ?? [];
  return Promise.all(
    names.sort().map(async (id) => {
      const path = skillPath(place, id);
      const text = await readIfPresent(path);
      if (text === undefined) return { problems: [] };
      const file = shownPath(place, path);
      const { skill, problems } = readSkillFile(file, id, text);
      return { ...(skill && { skill: { id, path, file, text, skill } }), problems };
    }),
  );
};

/** Returns the path of a skill's file. */
export const skillPath = ({ folder }: FolderPlace, id: string): string =>
  join(folder, "skills", id, "SKILL.md");

/** Reads a file; undefined if it does not exist. */
export const readIfPresent = (path: string): Promise<string | undefined> =>
  readFile(path, "utf8").catch(unlessMissing);

const namesIn = (folder: string): Promise<string[] | undefined> =>
  readdir(folder).catch(unlessMissing);

/** Returns undefined for a file that does not exist; throws any other error. */
export const unlessMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
  return undefined;
};
