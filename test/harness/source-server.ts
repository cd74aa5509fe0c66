import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "./listen.ts";

/** Replaces a response. */
type PlannedResponse = { status: number; headers?: Record<string, string>; body?: string };

/** Replaces the response of a request: another one, none, an endless one, or a broken connection. */
export type SourceFault = PlannedResponse | "hang" | "endless" | "break";

/** A fake of GitHub's API with the repository acme/app, which also serves its files as plain files. */
export type SourceServer = {
  url: string;
  requests: { path: string; headers: IncomingMessage["headers"] }[];
  /** Applies faults to the next requests. */
  failNext: (...faults: readonly SourceFault[]) => void;
  /** Applies a fault to every request with `part` in its path. */
  failAt: (part: string, fault: SourceFault) => void;
  /** Maximum number of concurrent requests. */
  maxAtOnce: () => number;
  close: () => Promise<void>;
};

type Options = {
  files: Readonly<Record<string, string | Uint8Array>>;
  /** Maximum entries of a recursive tree; more truncate it. */
  maxEntries?: number;
  /** Required token. */
  token?: string;
  /** Delay of each response in milliseconds. */
  delayMs?: number;
};

type Entry = { path: string; mode: string; type: string; sha: string; size?: number };

const defaultBranch = "trunk";
const computeSha = (text: string | Uint8Array): string =>
  createHash("sha1").update(text).digest("hex");

/** Starts a fake on 127.0.0.1. */
export const startSourceServer = async (options: Options): Promise<SourceServer> => {
  const requests: SourceServer["requests"] = [];
  const faults: SourceFault[] = [];
  const places = new Map<string, SourceFault>();
  const respond = repositoryApi(options);
  let underWay = 0;
  let most = 0;
  const server = createServer((request, response) => {
    response.on("error", () => undefined);
    underWay += 1;
    most = Math.max(most, underWay);
    response.on("close", () => {
      underWay -= 1;
    });
    const path = request.url ?? "";
    requests.push({ path, headers: request.headers });
    const place = [...places.keys()].find((part) => path.includes(part));
    const fault = (place === undefined ? undefined : places.get(place)) ?? faults.shift();
    if (fault === "hang") return;
    if (fault === "break") return void response.destroy();
    if (fault === "endless") return void sendWithoutEnd(response);
    setTimeout(() => sendResponse(response, fault ?? respond(request)), options.delayMs ?? 0);
  });
  return {
    ...(await listen(server)),
    requests,
    failNext: (...more) => {
      faults.push(...more);
    },
    failAt: (part, fault) => {
      places.set(part, fault);
    },
    maxAtOnce: () => most,
  };
};

const sendResponse = (
  response: ServerResponse,
  { status, headers, body }: { status: number; headers?: object; body?: string | Uint8Array },
): void => {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
  response.end(body);
};

const sendWithoutEnd = (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "application/json" });
  const more = () => {
    if (!response.destroyed) response.write("[".repeat(1024 * 1024), () => setImmediate(more));
  };
  more();
};

const problem = (status: number, message: string) => ({
  status,
  body: JSON.stringify({ message, documentation_url: "https://docs.github.com/rest" }),
});

const repositoryApi = ({ files, maxEntries = 100_000, token }: Options) => {
  const blobs = new Map(Object.values(files).map((content) => [computeSha(content), content]));
  return ({ url = "", headers }: IncomingMessage) => {
    const { pathname, searchParams } = new URL(url, "http://any");
    const plain = files[decodeURIComponent(pathname.slice("/files/".length))];
    if (pathname.startsWith("/files/") && plain !== undefined) {
      return { status: 200, headers: { "content-type": "text/plain" }, body: plain };
    }
    if (token !== undefined && headers.authorization !== `Bearer ${token}`) {
      return headers.authorization === undefined
        ? problem(404, "Not Found")
        : problem(401, "Bad credentials");
    }
    const [, repos, owner, name, git, kind, id = ""] = pathname.split("/");
    if (repos !== "repos" || `${owner}/${name}` !== "acme/app") return problem(404, "Not Found");
    if (git === undefined) {
      return { status: 200, body: JSON.stringify({ default_branch: defaultBranch }) };
    }
    if (kind === "blobs") {
      const body = blobs.get(id);
      const type = "application/vnd.github.raw+json; charset=utf-8";
      return body === undefined
        ? problem(404, "Not Found")
        : { status: 200, headers: { "content-type": type }, body };
    }
    if (Object.keys(files).length === 0) return problem(409, "Git Repository is empty.");
    const folder = findFolder(decodeURIComponent(id), files);
    if (folder === undefined) return problem(404, "Not Found");
    const isRecursive = searchParams.has("recursive");
    const entries = isRecursive ? allBelow(files, folder) : listChildren(files, folder);
    const tree = entries.slice(0, isRecursive ? maxEntries : undefined);
    const truncated = tree.length < entries.length;
    return { status: 200, body: JSON.stringify({ sha: id, tree, truncated }) };
  };
};

const treeSha = (folder: string): string => computeSha(`tree ${folder}`);

const findFolder = (id: string, files: Options["files"]): string | undefined => {
  if (id === defaultBranch || id === "feature/x") return "";
  return listFolders(files).find((folder) => treeSha(folder) === id);
};

const listFolders = (files: Options["files"]): string[] => [
  ...new Set(
    Object.keys(files).flatMap((path) => {
      const parts = path.split("/").slice(0, -1);
      return parts.map((_, at) => `${parts.slice(0, at + 1).join("/")}/`);
    }),
  ),
];

const allBelow = (files: Options["files"], folder: string): Entry[] =>
  Object.entries(files)
    .filter(([path]) => path.startsWith(folder))
    .map(([path, content]) => blobEntry(path.slice(folder.length), content));

const listChildren = (files: Options["files"], folder: string): Entry[] => {
  const children = new Map<string, Entry>();
  for (const { path, ...entry } of allBelow(files, folder)) {
    const [name = "", ...rest] = path.split("/");
    if (rest.length === 0) children.set(name, { path, ...entry });
    else {
      const sha = treeSha(`${folder}${name}/`);
      children.set(name, { path: name, mode: "040000", type: "tree", sha });
    }
  }
  return [...children.values()];
};

const blobEntry = (path: string, content: string | Uint8Array): Entry => ({
  path,
  mode: path.endsWith(".link") ? "120000" : "100644",
  type: path.endsWith(".submodule") ? "commit" : "blob",
  sha: computeSha(content),
  size: Buffer.byteLength(content),
});
