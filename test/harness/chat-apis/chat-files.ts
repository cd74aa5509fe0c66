import { getText } from "../../../lib/vendors/shared/webhook/payload-members.ts";
import type { ApiRequest, ApiResponse } from "../listener-apis/listener-api.ts";
import { good } from "./chat-api.ts";

/** The beginning of an image. */
export const png = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
  Buffer.alloc(64),
]);
export const pdf = Buffer.from("%PDF-1.7\n%\n1 0 obj\n<<>>\nendobj\n");

/** A response with a file. `isOpen`: its body never ends. */
export type FileResponse = ApiResponse & { content?: Uint8Array; isOpen?: boolean };

const toFile = (name: string): FileResponse => {
  if (name.startsWith("missing")) return { status: 404, body: {} };
  if (name.startsWith("large")) {
    return { status: 200, headers: { "content-length": "1073741824" }, content: png, isOpen: true };
  }
  if (name.startsWith("slow")) return { status: 200, content: png, isOpen: true };
  if (name.startsWith("empty")) return { status: 200, content: Buffer.alloc(0) };
  const [type, content] = name.endsWith(".pdf") ? ["application/pdf", pdf] : ["image/png", png];
  return { status: 200, headers: { "content-type": type }, content };
};

const refused: FileResponse = { status: 401, body: {} };
/** The page to which Slack redirects a bot without the scope. */
const loginPage: FileResponse = {
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  content: Buffer.from("<!DOCTYPE html><title>Sign in</title>"),
};

/** Returns another origin of the same server. */
const otherOrigin = ({ headers }: ApiRequest): string =>
  `http://${headers.host?.replace("127.0.0.1", "localhost")}`;

/** Files that need the credential of a bot, by the vendor in their path. */
const ownFiles: Readonly<Record<string, string>> = {
  slack: `Bearer ${good.slack}`,
  meta: `Bearer ${good.meta}`,
  teams: "Bearer token-1",
};

/** Fakes of the servers of attachments; undefined for requests of others. A file is by the beginning and the end of its name. */
export const findFile = (request: ApiRequest): FileResponse | undefined => {
  const { path, headers, query, body } = request;
  const { authorization } = headers;
  if (path === "/slack/files.info") {
    if (authorization !== ownFiles.slack) {
      return { status: 200, body: { ok: false, error: "invalid_auth" } };
    }
    const url = `http://${headers.host}/slack/files/${query.get("file")}.png`;
    return { status: 200, body: { ok: true, file: { url_private_download: url } } };
  }
  const media = /^\/meta\/media-([^/]+)$/.exec(path)?.[1];
  if (media !== undefined) {
    if (authorization !== ownFiles.meta) return refused;
    const host = media === "elsewhere" ? "media.example.com" : headers.host;
    return { status: 200, body: { url: `http://${host}/meta/files/${media}` } };
  }
  const [, token, method] = /^\/telegram\/bot([^/]+)\/(getFile)$/.exec(path) ?? [];
  if (method !== undefined) {
    if (token !== good.telegram) return refused;
    const id = getText(body, "file_id") ?? "";
    const file_path = id === "local" ? "/var/lib/bot/photo.jpg" : `documents/${id}`;
    return { status: 200, body: { ok: true, result: { file_id: id, file_path } } };
  }
  const [, fileToken, fileName] =
    /^\/telegram\/file\/bot([^/]+)\/documents\/(.+)$/.exec(path) ?? [];
  if (fileName !== undefined) {
    return fileToken === good.telegram ? toFile(fileName) : { status: 404, body: {} };
  }
  const [, vendor = "", name] =
    /^\/(slack|meta|teams)\/(?:files|service\/v3\/attachments)\/(.+)$/.exec(path) ?? [];
  if (name !== undefined) {
    if (name.startsWith("moved")) {
      return { status: 302, headers: { location: `${otherOrigin(request)}/public/moved.png` } };
    }
    if (authorization === ownFiles[vendor]) {
      return name.startsWith("login") ? loginPage : toFile(name.replace(/\/views\/original$/, ""));
    }
    return vendor === "slack" ? loginPage : refused;
  }
  const publicName = /^\/public\/(?:.*\/)?([^/]+)$/.exec(path)?.[1];
  if (publicName === undefined) return undefined;
  // A public server must not receive a credential.
  return authorization === undefined ? toFile(publicName) : { status: 418, body: {} };
};
