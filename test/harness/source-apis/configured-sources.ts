import { googleDriveApi } from "./google-drive-api.ts";
import { notionApi, notionBlock, notionText } from "./notion-api.ts";
import { startSourceServer } from "./source-server.ts";
import { zendeskApi } from "./zendesk-api.ts";

/** Base URLs of the fakes that are set by a deployment's settings. */
export type SourceUrls = { notion: string; zendesk: string; googleDrive: string };

/** The only document of each fake. */
export const sourceText = "Some words to be counted.";

/** Starts fakes of the sources with addresses from the deployment's settings. */
export const startConfiguredSources = async () => {
  const page = {
    object: "page",
    id: "p1",
    properties: { Name: { id: "title", type: "title", title: notionText("Guide") } },
  };
  const notion = await startSourceServer(
    notionApi({
      dataSources: { "ds-1": [page] },
      blocks: { p1: [notionBlock("b1", "paragraph", { rich_text: notionText(sourceText) })] },
    }),
  );
  const zendesk = await startSourceServer(
    zendeskApi([{ id: 1, locale: "en-us", title: "Guide", body: `<p>${sourceText}</p>` }]),
  );
  const drive = await startSourceServer(
    googleDriveApi([
      {
        id: "a-file",
        name: "Guide",
        mimeType: "text/plain",
        parent: "a-folder",
        content: sourceText,
      },
    ]),
  );
  const urls: SourceUrls = { notion: notion.url, zendesk: zendesk.url, googleDrive: drive.url };
  return {
    urls,
    settings: {
      SOURCE_URL_NOTION: notion.url,
      SOURCE_URL_ZENDESK: zendesk.url,
      SOURCE_URL_GOOGLE_DRIVE: drive.url,
      SOURCE_URL_GOOGLE_TOKEN: `${drive.url}/token`,
      GOOGLE_CLIENT_ID: "client",
      GOOGLE_CLIENT_SECRET: "secret",
    },
    close: async () => {
      await Promise.all([notion.close(), zendesk.close(), drive.close()]);
    },
  };
};
