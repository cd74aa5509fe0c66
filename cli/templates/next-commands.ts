import type { NamedTemplate } from "./read-templates.ts";
import { inputFileName, settingsFileName } from "./render-template.ts";

/** Lists the commands that create what a new agent needs, and deploy and run it. */
export const listNextCommands = (
  { template: { assets, integrationConfigs } }: NamedTemplate,
  { id, folder }: { id: string; folder: string },
): string[] => [
  ...assets.flatMap((asset) => [
    `wharf knowledge create ${asset.id} --display-name '${asset.displayName}'`,
    `wharf knowledge upload ${asset.id} ${folder}/${asset.id}/* --wait`,
  ]),
  ...integrationConfigs.map(
    ({ displayName, integrationId }) =>
      `wharf integrations create ${integrationId} --display-name '${displayName}' --parameters-file ${folder}/${settingsFileName(displayName)} --publish`,
  ),
  `wharf agents apply ${folder} --deploy --yes`,
  `wharf run ${id} --input-file ${folder}/${inputFileName(id)}`,
];
