import * as z from "zod";
import type { InvalidPlace } from "../../platform/http/problems.ts";
import { below } from "./reading/address.ts";
import { DriveFile, type DriveReading, driveText, fileFields } from "./reading/drive-file.ts";
import { accessToken, type GoogleClient } from "./reading/google-token.ts";
import { readAhead } from "./reading/read-ahead.ts";
import { createPageGuard, isMissing, known, readJson } from "./reading/read-json.ts";
import { defineSource, type Source, type SourceContext, type SourceDocument } from "./source.ts";

const Parameters = z.object({
  fileIds: z.string().optional().meta({
    displayName: "Files",
    description: "Ids of files, separated by commas. Either these or a folder.",
    example: "1AbCdEfGhIjKlMnOpQrStUvWxYz,1ZyXwVuTsRqPoNmLkJiHgFeDcBa",
  }),
  folderId: z.string().optional().meta({
    displayName: "Folder",
    description: "Id of a folder, which is read with all that is below it.",
    example: "1FoLdErAbCdEfGhIjKlMnOpQrStU",
  }),
  refreshToken: z.string().min(1).meta({
    displayName: "Refresh token",
    description: "Of a user who can read the files, for the scope drive.readonly.",
    secret: true,
    example: "1//refresh-token",
  }),
});
type Parameters = z.output<typeof Parameters>;

const FilePage = z.object({ files: z.array(z.unknown()), nextPageToken: z.string().nullish() });

const folderType = "application/vnd.google-apps.folder";
const shortcutType = "application/vnd.google-apps.shortcut";
const filesPerPage = "200";

/** Which OAuth client the refresh tokens belong to, and where Google is. */
export type GoogleDriveOptions = GoogleClient & { readonly apiUrl?: string | undefined };

type Reading = DriveReading & { readonly seen: Set<string> };

/**
 * Files of Google Drive: one document each; what is no text has none. `clientId` and `clientSecret` are those of
 * the OAuth client that the refresh tokens were made for; `tokenUrl` stands in for
 * `https://oauth2.googleapis.com/token`, `apiUrl` for `https://www.googleapis.com/drive/v3`.
 */
export const createGoogleDrive = ({
  apiUrl = "https://www.googleapis.com/drive/v3",
  ...client
}: GoogleDriveOptions): Source<typeof Parameters> =>
  defineSource({
    key: "google_drive",
    displayName: "Google Drive",
    parameters: Parameters,
    misfits: ({ fileIds, folderId }) => unlessOne(idsIn(fileIds), folderId),
    read: (parameters, context) => readAhead(readAll(parameters, context, client, apiUrl)),
  });

async function* readAll(
  { fileIds = "", folderId = "", refreshToken }: Parameters,
  context: SourceContext,
  client: GoogleClient,
  apiUrl: string,
): AsyncGenerator<SourceDocument> {
  const ids = idsIn(fileIds);
  const token = await accessToken(context, client, refreshToken);
  const reading: Reading = {
    context,
    headers: { authorization: `Bearer ${token}` },
    filesUrl: filesUrlOf(apiUrl),
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

function unlessOne(ids: readonly string[], folderId = ""): InvalidPlace[] {
  if (ids.length > 0 !== (folderId !== "")) return [];
  const detail =
    folderId === "" ? "Give either fileIds or folderId." : "Give fileIds or folderId, not both.";
  return [
    { pointer: "/fileIds", detail },
    { pointer: "/folderId", detail },
  ];
}

/** Accepts Google's address with the API's path and without. */
const filesUrlOf = (apiUrl: string): string =>
  below(apiUrl, /\/drive\/v3\/*$/.test(new URL(apiUrl).pathname) ? "/files" : "/drive/v3/files")
    .href;

const readFile = ({ context, filesUrl, headers }: Reading, id: string): Promise<DriveFile> => {
  const query = { fields: fileFields, supportsAllDrives: "true" };
  const url = below(filesUrl, `/${encodeURIComponent(id)}`, query);
  return readJson(context, url, DriveFile, { headers });
};

async function* filesIn(reading: Reading, folder: string): AsyncGenerator<DriveFile> {
  const guard = createPageGuard(reading.filesUrl);
  const id = folder.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
  for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
    guard(pageToken);
    const url = below(reading.filesUrl, "", {
      q: `'${id}' in parents and trashed = false`,
      fields: `nextPageToken,files(${fileFields})`,
      pageSize: filesPerPage,
      supportsAllDrives: "true",
      includeItemsFromAllDrives: "true",
      ...(pageToken === "" ? {} : { pageToken }),
    });
    const page: z.output<typeof FilePage> = await readJson(reading.context, url, FilePage, {
      headers: reading.headers,
    });
    yield* known(DriveFile, page.files);
    pageToken = page.nextPageToken || undefined;
  }
}

/** The file's document, once however many ways lead to it; a folder is noted for later. */
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
  else yield { fileName, text: driveText(reading, file) };
}

/** What a shortcut leads to; undefined when that is gone, or for others alone. */
async function followShortcut(reading: Reading, file: DriveFile): Promise<DriveFile | undefined> {
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
}
