import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { type Document, parseDocument } from "yaml";
import { AgentTemplate, templateMember } from "../../lib/agents/template/agent-template.ts";
import { agentFileEnding } from "../files/agent-file.ts";

/** A template of an agent. */
export type NamedTemplate = {
  name: string;
  displayName: string;
  description: string;
  template: AgentTemplate;
  /** The agent's file, without what is only of the template. */
  document: Document;
};

/** The folder of the package, next to its bundle; in a checkout that of the examples. */
const findFolder = (): URL => {
  const packaged = new URL("templates/", import.meta.url);
  return existsSync(packaged) ? packaged : new URL("../../examples/templates/", import.meta.url);
};

/** Reads the templates, by name. */
export const readTemplates = async (): Promise<NamedTemplate[]> => {
  const folder = findFolder();
  const files = (await readdir(folder)).filter((file) => file.endsWith(agentFileEnding)).sort();
  return Promise.all(
    files.map(async (file) => {
      const document = parseDocument(await readFile(new URL(file, folder), "utf8"));
      const { [templateMember]: member } = Object(document.toJS());
      document.delete(templateMember);
      return {
        name: file.slice(0, -agentFileEnding.length),
        displayName: String(document.get("displayName")),
        description: String(document.get("description")),
        template: AgentTemplate.parse(member),
        document,
      };
    }),
  );
};
