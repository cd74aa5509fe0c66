import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { withKnownNames } from "../../../lib/platform/http/nearest-name.ts";
import type { GlobalInput } from "../../command.ts";
import { failed, usage } from "../../exit.ts";
import { agentFileEnding } from "../../files/agent-file.ts";
import { readIfPresent, resolvePlace, shownPath } from "../../files/folder.ts";
import { writeSchema } from "../../files/pull.ts";
import { requireFileId, writeIfChanged } from "../../files/write-file.ts";
import type { Io } from "../../io.ts";
import { printJson, printList, printMessage } from "../../output.ts";
import { listNextCommands } from "../../templates/next-commands.ts";
import { type NamedTemplate, readTemplates } from "../../templates/read-templates.ts";
import { renderTemplate } from "../../templates/render-template.ts";

type Input = GlobalInput & {
  dir: string | undefined;
  template: string | undefined;
  list: boolean;
  id: string | undefined;
  provider: string | undefined;
  model: string | undefined;
};

/** Runs `wharf agents init`. */
export const initAgent = async (input: Input, io: Io): Promise<void> => {
  const templates = await readTemplates();
  if (input.list) return printTemplates(templates, input, io);
  if (input.template === undefined) {
    throw usage("Choose a template with --template, or list them with --list.");
  }
  const found = templates.find(({ name }) => name === input.template);
  if (!found) {
    const names = templates.map(({ name }) => name);
    const detail = `There is no template ${JSON.stringify(input.template)}`;
    throw usage(withKnownNames(detail, input.template, names));
  }
  const place = resolvePlace(io.cwd, input.dir ?? "agents");
  const id = requireFileId("agent", input.id ?? found.name);
  const path = join(place.folder, id + agentFileEnding);
  if ((await readIfPresent(path)) !== undefined) {
    throw failed(`${shownPath(place, path)} exists. Choose another name with --id.`);
  }
  await mkdir(place.folder, { recursive: true });
  const files = renderTemplate(found, { id, provider: input.provider, model: input.model });
  for (const { name, text } of files) await writeIfChanged(place, join(place.folder, name), text);
  await writeSchema(place);
  const written = files.map(({ name }) => shownPath(place, join(place.folder, name)));
  const commands = listNextCommands(found, { id, folder: shownPath(place, place.folder) });
  if (input.json) {
    return printJson(io, { template: found.name, id, files: written, commands });
  }
  for (const file of written) printMessage(io, `Wrote ${file}`);
  printMessage(io, "Next:");
  for (const command of commands) printMessage(io, `  ${command}`);
};

const printTemplates = (templates: readonly NamedTemplate[], input: Input, io: Io): void => {
  const items = templates.map(({ name, displayName, description, template }) => ({
    name,
    displayName,
    description,
    needs: template.needs,
    input: template.input,
  }));
  const toRow = ({ name, description, needs }: (typeof items)[number]) => [
    name,
    description,
    needs,
  ];
  printList(io, input, { items, none: "No templates found.", heading, toRow });
};

const heading = ["NAME", "DESCRIPTION", "NEEDS"];
