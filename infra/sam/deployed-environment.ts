import * as z from "zod";
import { CommandError } from "../shell/command.ts";

/** Values of the references in the templates of a deployment. */
export type DeployedValues = {
  /** Values of the stacks' exports, by name. */
  exports: ReadonlyMap<string, string>;
  /** Values of pseudo parameters, such as `AWS::Region`. */
  pseudo: Readonly<Record<string, string>>;
};

const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z
        .looseObject({
          Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }).optional(),
        })
        .default({}),
    }),
  ),
});

const ImportValue = z.object({ "Fn::ImportValue": z.string() });
const Join = z.object({ "Fn::Join": z.tuple([z.string(), z.array(z.unknown())]) });
const Ref = z.object({ Ref: z.string() });

/**
 * Returns the environment variables that refer to other resources, for the `Parameters` of a file of `sam local invoke`,
 * which gives a function those that its template declares. CloudFormation alone resolves references to secrets: they are
 * empty. Throws a CommandError for a value that does not exist.
 */
export const deployedVariables = (
  templates: readonly unknown[],
  values: DeployedValues,
): Record<string, string> => {
  const variables: Record<string, string> = {};
  for (const template of templates) {
    for (const { Properties } of Object.values(Template.parse(template).Resources)) {
      for (const [name, value] of Object.entries(Properties.Environment?.Variables ?? {})) {
        const resolved = withoutSecrets(resolve(value, values));
        if (resolved === value) continue;
        if ((variables[name] ?? resolved) !== resolved) {
          throw new CommandError(`${name} differs between functions, which one file cannot state.`);
        }
        variables[name] = resolved;
      }
    }
  }
  return variables;
};

const withoutSecrets = (value: string): string =>
  value.startsWith("{{resolve:secretsmanager:") ? "" : value;

const resolve = (value: unknown, values: DeployedValues): string => {
  if (typeof value === "string") return value;
  const imported = ImportValue.safeParse(value);
  if (imported.success) return find(values.exports.get(imported.data["Fn::ImportValue"]), value);
  const joined = Join.safeParse(value);
  if (joined.success) {
    const [separator, parts] = joined.data["Fn::Join"];
    return parts.map((part) => resolve(part, values)).join(separator);
  }
  return find(values.pseudo[Ref.safeParse(value).data?.Ref ?? ""], value);
};

const find = (found: string | undefined, value: unknown): string => {
  if (found !== undefined) return found;
  throw new CommandError(
    `The deployment has no value for ${JSON.stringify(value)}. Run npm run synth with the version and the settings that are deployed.`,
  );
};
