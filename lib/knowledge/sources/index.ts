import { createWharfSource, type LoadAssets } from "../../agents/asset/wharf.ts";
import type { SourceSettings } from "../../platform/runtime/env.ts";
import { confluence } from "./confluence.ts";
import { createGithub } from "./github.ts";
import { createGoogleDrive } from "./google-drive.ts";
import { jira } from "./jira.ts";
import { createNotion } from "./notion.ts";
import type { Source } from "./source.ts";
import { createZendesk } from "./zendesk.ts";

/** Every source, in the order in which they are listed. */
export const createSources = (
  settings: SourceSettings,
  own: { loadAssets: LoadAssets },
): readonly Source[] => [
  jira,
  createZendesk({ apiUrl: settings.zendeskUrl }),
  createNotion({ apiUrl: settings.notionUrl }),
  createGoogleDrive({
    clientId: settings.googleClientId,
    clientSecret: settings.googleClientSecret,
    tokenUrl: settings.googleTokenUrl,
    apiUrl: settings.googleDriveUrl,
  }),
  confluence,
  createGithub({ apiUrl: settings.githubUrl }),
  createWharfSource(own),
];
