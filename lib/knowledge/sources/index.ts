import type { SourceSettings } from "../../platform/runtime/env.ts";
import { confluence } from "./confluence.ts";
import { createGithub } from "./github.ts";
import { createGoogleDrive } from "./google-drive.ts";
import { jira } from "./jira.ts";
import { createNotion } from "./notion.ts";
import type { Source } from "./source.ts";
import { createZendesk } from "./zendesk.ts";

/** Returns the external sources, in listing order. */
export const createSources = (settings: SourceSettings): readonly Source[] => [
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
];
