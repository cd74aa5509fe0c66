import * as z from "zod";
import type { ValidationIssue } from "../../platform/http/problems.ts";
import { addressBelow } from "../shared/source/address.ts";
import { createPageGuard, fetchJson, isMissing, parseItems } from "../shared/source/fetch-json.ts";
import { readAhead } from "../shared/source/read-ahead.ts";
import {
  defineSource,
  type Source,
  type SourceContext,
  type SourceDocument,
  type SourceSettings,
} from "../source.ts";
import { DriveFile, type DriveReading, driveText, fileFields } from "./file.ts";
import { fetchAccessToken, type GoogleClient } from "./token.ts";

const Parameters = z.object({
  fileIds: z.string().optional().meta({
    displayName: "Files",
    description: "File IDs, separated by commas. Either files or a folder is required.",
    example: "1AbCdEfGhIjKlMnOpQrStUvWxYz,1ZyXwVuTsRqPoNmLkJiHgFeDcBa",
  }),
  folderId: z.string().optional().meta({
    displayName: "Folder",
    description: "The ID of a folder. Its subfolders are read, too.",
    example: "1FoLdErAbCdEfGhIjKlMnOpQrStU",
  }),
  refreshToken: z.string().min(1).meta({
    displayName: "Refresh token",
    description:
      "A refresh token of a user with access to the files, with the scope drive.readonly.",
    secret: true,
    example: "1//refresh-token",
  }),
});
type Parameters = z.output<typeof Parameters>;

const FilePage = z.object({ files: z.array(z.unknown()), nextPageToken: z.string().nullish() });

const folderType = "application/vnd.google-apps.folder";
const shortcutType = "application/vnd.google-apps.shortcut";
const filesPerPage = "200";

type Reading = DriveReading & { readonly seen: Set<string> };

/** Creates a source of Google Drive files, one document per file; one that is not text is empty. */
export const createSource = ({
  SOURCE_URL_GOOGLE_DRIVE: apiUrl = "https://www.googleapis.com/drive/v3",
  SOURCE_URL_GOOGLE_TOKEN: tokenUrl,
  GOOGLE_CLIENT_ID: clientId,
  GOOGLE_CLIENT_SECRET: clientSecret,
}: SourceSettings): Source<typeof Parameters> =>
  defineSource({
    key: "google_drive",
    displayName: "Google Drive",
    parameters: Parameters,
    check: ({ fileIds, folderId }) => requireOne(idsIn(fileIds), folderId),
    read: (parameters, context) =>
      readAhead(
        readAll(parameters, context, { tokenUrl, clientId, clientSecret }, apiUrl),
        context,
      ),
  });

async function* readAll(
  { fileIds = "", folderId = "", refreshToken }: Parameters,
  context: SourceContext,
  client: GoogleClient,
  apiUrl: string,
): AsyncGenerator<SourceDocument> {
  const ids = idsIn(fileIds);
  const token = await fetchAccessToken(context, client, refreshToken);
  const reading: Reading = {
    context,
    headers: { authorization: `Bearer ${token}` },
    filesUrl: buildFilesUrl(apiUrl),
    seen: new Set(),
  };
  const folders: Folder[] = folderId === "" ? [] : [{ id: folderId, path: "" }];
  for (const id of ids) {
    const file = await readFile(reading, id);
    yield* documents(reading, file, "", folders);
  }
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const file of filesIn(reading, folder.id)) {
      yield* documents(reading, file, folder.path, folders);
    }
  }
}

type Folder = { readonly id: string; readonly path: string };

const idsIn = (fileIds = ""): string[] =>
  fileIds
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");

const requireOne = (ids: readonly string[], folderId = ""): ValidationIssue[] => {
  if (ids.length > 0 !== (folderId !== "")) return [];
  const detail =
    folderId === "" ? "Set either fileIds or folderId." : "Set fileIds or folderId, not both.";
  return [
    { pointer: "/fileIds", detail },
    { pointer: "/folderId", detail },
  ];
};

/** Returns the address of files; `apiUrl` may include the API's path or not. */
const buildFilesUrl = (apiUrl: string): string =>
  addressBelow(
    apiUrl,
    /\/drive\/v3\/*$/.test(new URL(apiUrl).pathname) ? "/files" : "/drive/v3/files",
  ).href;

const readFile = ({ context, filesUrl, headers }: Reading, id: string): Promise<DriveFile> => {
  const query = { fields: fileFields, supportsAllDrives: "true" };
  const url = addressBelow(filesUrl, `/${encodeURIComponent(id)}`, query);
  return fetchJson(context, url, DriveFile, { headers });
};

async function* filesIn(reading: Reading, folder: string): AsyncGenerator<DriveFile> {
  const guard = createPageGuard(reading.filesUrl);
  const id = folder.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
  for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
    guard(pageToken);
    const url = addressBelow(reading.filesUrl, "", {
      q: `'${id}' in parents and trashed = false`,
      fields: `nextPageToken,files(${fileFields})`,
      pageSize: filesPerPage,
      supportsAllDrives: "true",
      includeItemsFromAllDrives: "true",
      ...(pageToken === "" ? {} : { pageToken }),
    });
    const page: z.output<typeof FilePage> = await fetchJson(reading.context, url, FilePage, {
      headers: reading.headers,
    });
    yield* parseItems(DriveFile, page.files);
    pageToken = page.nextPageToken || undefined;
  }
}

/** Yields a file's document, once per file; adds a folder to `folders` instead. */
async function* documents(
  reading: Reading,
  listed: DriveFile,
  path: string,
  folders: Folder[],
): AsyncGenerator<SourceDocument> {
  const file = await followShortcut(reading, listed);
  if (file === undefined || reading.seen.has(file.id)) return;
  reading.seen.add(file.id);
  const fileName = `${path}${listed.name}`;
  if (file.mimeType === folderType) folders.push({ id: file.id, path: `${fileName}/` });
  else {
    yield {
      fileName,
      id: file.id,
      link: file.webViewLink ?? undefined,
      version: file.modifiedTime ?? undefined,
      metadata: { mimeType: file.mimeType },
      text: driveText(reading, file),
    };
  }
}

/** Returns the target of a shortcut; undefined when it was deleted or the user has no access to it. */
const followShortcut = async (
  reading: Reading,
  file: DriveFile,
): Promise<DriveFile | undefined> => {
  if (file.mimeType !== shortcutType) return file;
  const target = file.shortcutDetails?.targetId;
  if (target === undefined || reading.seen.has(target)) return undefined;
  try {
    const found = await readFile(reading, target);
    return found.mimeType === shortcutType ? undefined : found;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};
