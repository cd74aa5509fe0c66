import { join } from "node:path";
import * as z from "zod";
import { type Json, readJson } from "./json.ts";

const json = z.custom<Json>((value) => value !== undefined);

const Resource = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), json).default({}),
  Metadata: z.record(z.string(), json).default({}),
});

const Template = z.object({
  Resources: z.record(z.string(), Resource).default({}),
  Parameters: z.record(z.string(), z.object({ Default: json.optional() })).default({}),
  Outputs: z
    .record(z.string(), z.object({ Value: json, Export: z.object({ Name: json }).optional() }))
    .default({}),
});

const Manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      properties: z
        .object({
          templateFile: z.string().optional(),
          stackName: z.string().optional(),
          file: z.string().optional(),
        })
        .optional(),
    }),
  ),
});

const AssetManifest = z.object({
  files: z
    .record(z.string(), z.object({ source: z.object({ path: z.string().optional() }) }))
    .default({}),
});

/** A resource of a template, intrinsics unresolved. */
export type TemplateResource = z.output<typeof Resource>;

/** One stack's template. */
export type Stack = z.output<typeof Template> & { name: string };

/** A synthesized cloud assembly: its stacks and its file assets. */
export type Assembly = {
  directory: string;
  stacks: Stack[];
  /** Absolute directory of each file asset, by its hash. */
  assets: ReadonlyMap<string, string>;
};

/** Reads a synthesized cloud assembly; throws when it is incomplete. */
export const readAssembly = (directory: string): Assembly => {
  const manifest = Manifest.parse(readJson(join(directory, "manifest.json")));
  const stacks: Stack[] = [];
  const assets = new Map<string, string>();
  for (const [id, artifact] of Object.entries(manifest.artifacts)) {
    const { templateFile, stackName, file } = artifact.properties ?? {};
    if (artifact.type === "aws:cloudformation:stack" && templateFile !== undefined) {
      const template = Template.parse(readJson(join(directory, templateFile)));
      stacks.push({ ...template, name: stackName ?? id });
    }
    if (artifact.type === "cdk:asset-manifest" && file !== undefined) {
      const manifest = AssetManifest.parse(readJson(join(directory, file)));
      for (const [hash, asset] of Object.entries(manifest.files)) {
        if (asset.source.path !== undefined) assets.set(hash, join(directory, asset.source.path));
      }
    }
  }
  return { directory, stacks, assets };
};
