import type { SourceApi } from "./source-server.ts";

/** A file of a fake: its metadata, folder and content. */
export type DriveItem = {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly parent?: string;
  readonly shortcutDetails?: { readonly targetId: string };
  readonly capabilities?: { readonly canDownload: boolean };
  readonly content?: string;
  /** Content of its export link; its export is refused as too large. */
  readonly large?: string;
};

/** Google's tokens and Drive: one file per page, exports of Google's own formats. */
export const googleDriveApi =
  (items: readonly DriveItem[]): SourceApi =>
  ({ path, query, headers, body }, url) => {
    if (path === "/token") {
      const form = new URLSearchParams(body);
      if (form.get("client_id") !== "client" || form.get("client_secret") !== "secret") {
        return { status: 401, body: { error: "invalid_client" } };
      }
      return form.get("refresh_token") === "1//refresh"
        ? { body: { access_token: "ya29.access", expires_in: 3599, token_type: "Bearer" } }
        : { status: 400, body: { error: "invalid_grant" } };
    }
    if (headers.authorization !== "Bearer ya29.access") return { status: 401 };
    const describe = ({ parent: _, content: __, large, ...file }: DriveItem) => ({
      kind: "drive#file",
      ...file,
      ...(large === undefined
        ? {}
        : { exportLinks: { "text/plain": `${url}/export/${file.id}?exportFormat=txt` } }),
    });
    if (path === "/drive/v3/files") {
      const folder = /^'(.+)' in parents and trashed = false$/.exec(query.get("q") ?? "")?.[1];
      const files = items.filter(({ parent }) => parent === folder);
      const at = Number(query.get("pageToken") ?? 0);
      const nextPageToken = at + 1 < files.length ? String(at + 1) : undefined;
      return { body: { nextPageToken, files: files.slice(at, at + 1).map(describe) } };
    }
    const [, id, action] = /^(?:\/drive\/v3\/files|\/export)\/([^/]+)(\/export)?$/.exec(path) ?? [];
    const file = items.find((item) => item.id === id);
    if (file === undefined) return undefined;
    if (path.startsWith("/export/")) return { body: file.large };
    if (action !== undefined) {
      const reason = { error: { errors: [{ reason: "exportSizeLimitExceeded" }] } };
      if (file.large !== undefined) return { status: 403, body: reason };
      return { body: `${query.get("mimeType")}: ${file.content}` };
    }
    return { body: query.get("alt") === "media" ? file.content : describe(file) };
  };
