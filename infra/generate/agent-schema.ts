import * as z from "zod";
import { AgentFile } from "../../cli/files/agent-file.ts";
import { neverInside } from "../../lib/engine/flow/read-step.ts";
import { stepTypes } from "../../lib/engine/flow/steps/index.ts";

type Schema = z.core.JSONSchema.BaseSchema;

const Definitions = z.record(z.string(), z.custom<Schema>());

/** Path of the committed schema, which is part of the CLI's package. */
export const agentSchemaFile = new URL("../../cli/agent.schema.json", import.meta.url);

/**
 * Renders the JSON Schema of agents' files from the schemas that validate requests. It is a draft 7, which editors
 * support for YAML; unknown members are errors.
 */
export const renderAgentSchema = (): string => {
  const steps = stepTypes.map(({ type, schema }) => [type, schema] as const);
  const {
    $schema,
    properties = {},
    ...all
  } = z.toJSONSchema(z.object({ ...Object.fromEntries(steps) }).extend({ file: AgentFile }), {
    target: "draft-7",
    io: "input",
    unrepresentable: "any",
    override: closeObject,
  });
  const { AgentFile: file, Flow, SentFlow, ...others } = Definitions.parse(all.definitions);
  const inner = stepTypes.filter(({ type }) => !neverInside.has(type));
  const document = {
    $schema,
    ...toObjectSchema(file),
    patternProperties: { "^x-": { description: "Ignored; a place for anchors." } },
    definitions: {
      ...others,
      Flow: withSteps(toObjectSchema(Flow)),
      SentFlow: withSteps(toObjectSchema(SentFlow)),
      Step: { anyOf: stepTypes.map(({ type }) => refTo(type)) },
      InnerStep: { anyOf: inner.map(({ type }) => refTo(`Inner${type}`)) },
      ...Object.fromEntries(
        stepTypes.map((stepType) => [stepType.type, buildStepSchema(stepType, properties)]),
      ),
      ...Object.fromEntries(
        inner.map((stepType) => [
          `Inner${stepType.type}`,
          withoutId(buildStepSchema(stepType, properties)),
        ]),
      ),
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
};

const closeObject = ({ jsonSchema }: { jsonSchema: Schema }): void => {
  if (jsonSchema.properties) jsonSchema.additionalProperties ??= false;
  delete jsonSchema.propertyNames;
  delete jsonSchema.example;
};

const toObjectSchema = (schema: Schema | boolean | undefined): Schema =>
  typeof schema === "object" ? schema : {};

const refTo = (name: string): Schema => ({ $ref: `#/definitions/${name}` });

const withSteps = (flow: Schema): Schema => ({
  ...flow,
  properties: {
    ...flow.properties,
    steps: { ...toObjectSchema(flow.properties?.steps), items: refTo("Step") },
  },
});

/** A step with a nested step; its references may be names. */
const buildStepSchema = (
  { type, inner }: { type: string; inner: string | undefined },
  steps: Readonly<Record<string, Schema | boolean>>,
): Schema => {
  const step = toObjectSchema(steps[type]);
  return {
    ...step,
    properties: {
      type: { const: type },
      ...step.properties,
      ...(step.properties?.agentId !== undefined && {
        agentId: { type: "string", minLength: 1, description: "Id or name of an agent." },
      }),
      ...(inner !== undefined && { [inner]: refTo("InnerStep") }),
    },
  };
};

const withoutId = (step: Schema): Schema => ({
  ...step,
  required: (step.required ?? []).filter((name) => name !== "id"),
});
