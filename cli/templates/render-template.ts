import { agentFileEnding } from "../files/agent-file.ts";
import { renderYaml } from "../files/merge.ts";
import { schemaFile } from "../files/render-agent.ts";
import type { NamedTemplate } from "./read-templates.ts";

/** A file of a new agent, in its folder. */
type NewFile = { name: string; text: string };

type Choices = {
  id: string;
  /** Model provider, by default that of the template. */
  provider: string | undefined;
  model: string | undefined;
};

/** Returns the name of the file with the sample of an agent's inputs. */
export const inputFileName = (id: string): string => `${id}.input.json`;

/** Returns the name of the file with the settings of an integration config. */
export const settingsFileName = (displayName: string): string =>
  `${displayName.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.settings.json`;

/** Renders the files of a new agent: the agent, a sample of its inputs, and what it searches and calls. */
export const renderTemplate = (
  { document, template }: NamedTemplate,
  { id, provider, model }: Choices,
): NewFile[] => {
  const agent = document.clone();
  agent.commentBefore = ` yaml-language-server: $schema=./${schemaFile}`;
  if (provider !== undefined) agent.setIn(["llmConfigs", 0, "providerId"], provider);
  if (model !== undefined) agent.setIn(["llmConfigs", 0, "parameters"], { model });
  return [
    { name: id + agentFileEnding, text: renderYaml(agent) },
    { name: inputFileName(id), text: toJsonText(template.input) },
    ...template.assets.flatMap((asset) =>
      Object.entries(asset.documents).map(([name, text]) => ({
        name: `${asset.id}/${name}`,
        text,
      })),
    ),
    ...template.integrationConfigs.map(({ displayName, parameters }) => ({
      name: settingsFileName(displayName),
      text: toJsonText(parameters),
    })),
  ];
};

const toJsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
