import { join } from "node:path";
import { toSlug } from "../../lib/agents/skill/markdown/slug.ts";
import { isUuid } from "../../lib/platform/http/ids.ts";
import schema from "../agent.schema.json" with { type: "json" };
import { agentFileEnding } from "./agent-file.ts";
import { FileError } from "./file-problem.ts";
import { type FolderPlace, readIfPresent, shownPath, skillPath } from "./folder.ts";
import type { StoredAgent } from "./plan.ts";
import type { Remote } from "./remote.ts";
import { agentText, type Rendering, schemaFile, type Target } from "./render-agent.ts";
import { readSkillFile, toSkillContent, writeSkillFile } from "./skill-file.ts";
import { requireFileId, writeIfChanged } from "./write-file.ts";

/** A file that a pull wrote, or left because it was equal. */
export type Pulled = {
  kind: "agent" | "skill";
  id: string;
  file: string;
  revision: number | null;
  changed: boolean;
};

/** Chooses the name of a new agent's file: its id, or its name if the id is a uuid and the name is free. */
export const nameFor = (
  { id, displayName }: { id: string; displayName: string },
  taken: ReadonlySet<string>,
): string => {
  requireFileId("agent", id);
  const slug = isUuid(id) ? toSlug(displayName) : "";
  return slug === "" || taken.has(slug) ? id : slug;
};

/** Writes an agent to its file; keeps comments, order and style of an existing one. */
export const pullAgent = async (
  place: FolderPlace,
  state: StoredAgent,
  target: Target,
  rendering: Rendering,
): Promise<Pulled> => {
  const path = join(place.folder, target.name + agentFileEnding);
  const changed = await writeIfChanged(place, path, await agentText(state, target, rendering));
  const { agent, revision } = state;
  return { kind: "agent", id: agent.id, file: shownPath(place, path), revision, changed };
};

/** Writes a skill to `skills/ID/SKILL.md`; undefined if it does not exist. */
export const pullSkill = async (
  place: FolderPlace,
  { findSkill }: Pick<Remote, "findSkill">,
  id: string,
): Promise<Pulled | undefined> => {
  requireFileId("skill", id);
  const skill = await findSkill(id);
  if (!skill) return undefined;
  const path = skillPath(place, id);
  const file = shownPath(place, path);
  const existing = await readIfPresent(path);
  if (existing !== undefined) {
    const problems = readSkillFile(file, id, existing).problems.filter(
      ({ pointer }) => pointer === "",
    );
    if (problems.length > 0) throw new FileError(problems);
  }
  const text = writeSkillFile(id, toSkillContent(skill), existing);
  const changed = await writeIfChanged(place, path, text);
  return { kind: "skill", id, file, revision: null, changed };
};

/** Writes the schema that editors check the files with. */
export const writeSchema = async (place: FolderPlace): Promise<void> => {
  await writeIfChanged(
    place,
    join(place.folder, schemaFile),
    `${JSON.stringify(schema, null, 2)}\n`,
  );
};
