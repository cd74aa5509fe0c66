import * as z from "zod";
import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { addressBelow } from "../shared/source/address.ts";
import { isTextFile, readTextFile } from "../shared/source/text-file.ts";
import type { SourceContext } from "../source.ts";

/** Access to Drive. */
export type DriveReading = {
  readonly context: SourceContext;
  readonly headers: Readonly<Record<string, string>>;
  readonly filesUrl: string;
};

/** Metadata of a file. */
export const DriveFile = z.object({
  id: z.string(),
  name: z.string(),
  mimeType: z.string(),
  webViewLink: z.string().nullish().catch(undefined),
  modifiedTime: z.string().nullish().catch(undefined),
  exportLinks: z.record(z.string(), z.string()).nullish().catch(undefined),
  shortcutDetails: z.object({ targetId: z.string() }).nullish().catch(undefined),
  capabilities: z.object({ canDownload: z.boolean().nullish() }).nullish().catch(undefined),
});
export type DriveFile = z.output<typeof DriveFile>;
/** The members of `DriveFile` as a `fields` parameter. */
export const fileFields =
  "id,name,mimeType,webViewLink,modifiedTime,exportLinks,shortcutDetails/targetId,capabilities/canDownload";
const googleTypes = "application/vnd.google-apps.";
/** Export formats of Google's own file types. CSV contains only the first sheet of a spreadsheet. */
const exportTypes: Readonly<Record<string, string>> = {
  [`${googleTypes}document`]: "text/plain",
  [`${googleTypes}presentation`]: "text/plain",
  [`${googleTypes}spreadsheet`]: "text/csv",
};

/** Yields a file's text, exported if it is a Google document; nothing for other files or without permission. */
export async function* driveText(reading: DriveReading, file: DriveFile): AsyncGenerator<string> {
  const { context, headers, filesUrl } = reading;
  if (file.capabilities?.canDownload === false) return;
  const path = `/${encodeURIComponent(file.id)}`;
  const exportType = exportTypes[file.mimeType];
  if (exportType === undefined) {
    if (file.mimeType.startsWith(googleTypes) || !isTextFile(file.mimeType, file.name)) return;
    const url = addressBelow(filesUrl, path, { alt: "media", supportsAllDrives: "true" });
    yield* readTextFile(context, { url, mediaType: file.mimeType, fileName: file.name, headers });
    return;
  }
  const mediaType = exportType;
  const url = addressBelow(filesUrl, `${path}/export`, { mimeType: exportType });
  try {
    yield* readTextFile(context, { url, mediaType, fileName: "", headers });
  } catch (error) {
    const link = largeExport(file, exportType, filesUrl);
    const isTooLarge = error instanceof UpstreamError && error.upstreamStatus === 403;
    if (!isTooLarge || link === undefined) throw error;
    yield* readTextFile(context, { url: link, mediaType, fileName: "", headers });
  }
}

/** Returns the file's export link, which allows exports over 10 MB (403 exportSizeLimitExceeded). */
const largeExport = (file: DriveFile, exportType: string, filesUrl: string): URL | undefined => {
  const link = file.exportLinks?.[exportType];
  const url = link === undefined ? undefined : parseAddress(link);
  if (!url) return undefined;
  const isGoogle = url.protocol === "https:" && url.host === "docs.google.com";
  return isGoogle || url.origin === new URL(filesUrl).origin ? url : undefined;
};
