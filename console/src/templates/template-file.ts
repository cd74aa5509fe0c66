import type { CreateRevisionBody } from "../../../client/openapi.ts";
import type { AgentTemplate } from "../../../lib/agents/template/agent-template.ts";

/** A file of `examples/templates`, as the build of the console reads it. */
export type TemplateFile = {
  agent: { displayName: string; description: string };
  revision: CreateRevisionBody;
  template: AgentTemplate;
};

/** A template of an agent. */
export type NamedTemplate = TemplateFile & { name: string };
