import * as z from "zod";
import { trimSlashes } from "../../platform/runtime/trim-end.ts";
import { fetchJson } from "../shared/source/fetch-json.ts";
import { mapInOrder } from "../shared/source/map-in-order.ts";
import { defineSource, type Source, type SourceSettings } from "../source.ts";
import { decodeFile, maxRepositoryFileBytes, mayBeText } from "./repository-file.ts";
import { readTree } from "./tree.ts";

/** Files that are fetched at the same time. */
const filesAtOnce = 6;

const isName = (name = ""): boolean => /^[\w.-]{1,100}$/.test(name) && !/^\.+$/.test(name);

const Parameters = z.object({
  repository: z
    .string()
    .refine(
      (value) => value.split("/").length === 2 && value.split("/").every(isName),
      "must be the repository, as owner/repo",
    )
    .meta({ displayName: "Repository", description: "The repository as owner/repo." }),
  ref: z.string().min(1).max(255).optional().meta({
    displayName: "Branch, tag or commit",
    description: "Defaults to the default branch.",
  }),
  path: z.string().max(4_096).optional().meta({
    displayName: "Path",
    description: "The file or folder to read. Defaults to the whole repository.",
  }),
  token: z.string().min(1).optional().meta({
    displayName: "Token",
    description: "A token with read access to contents. Optional for a public repository.",
    secret: true,
  }),
  baseUrl: z.string().min(1).optional().meta({
    displayName: "API address",
    description: "API of a GitHub Enterprise Server, such as https://github.example.com/api/v3.",
  }),
});

/** Returns the address of a file for readers: github.com, or the site of an Enterprise Server. */
const buildFileLink = ({
  baseUrl,
  repository,
  ref,
  path,
}: {
  baseUrl: string | undefined;
  repository: string;
  ref: string;
  path: string;
}): string => {
  const site = baseUrl === undefined ? "https://github.com" : new URL(baseUrl).origin;
  const parts = [ref, path].map((part) => part.split("/").map(encodeURIComponent).join("/"));
  return `${site}/${repository}/blob/${parts.join("/")}`;
};

const Repository = z.object({ default_branch: z.string() });

const buildHeaders = (token: string | undefined): Record<string, string> => ({
  accept: "application/vnd.github+json",
  "user-agent": "wharf",
  "x-github-api-version": "2022-11-28",
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
});

/**
 * Creates a source of a repository's text files, in the tree's order. Skips binary and generated files, files over
 * 2 MiB, links and submodules. https://docs.github.com/en/rest/git
 */
export const createSource = ({
  SOURCE_URL_GITHUB: apiUrl = "https://api.github.com",
}: SourceSettings = {}): Source<typeof Parameters> =>
  defineSource({
    key: "github",
    displayName: "GitHub",
    parameters: Parameters,
    async *read({ repository, ref: given, path = "", token, baseUrl }, context) {
      const url = `${trimSlashes(baseUrl ?? apiUrl)}/repos/${repository}`;
      const headers = buildHeaders(token);
      const raw = { ...headers, accept: "application/vnd.github.raw+json" };
      const ref = given ?? (await fetchJson(context, url, Repository, { headers })).default_branch;
      const below = trimSlashes(path.replace(/^(?:\.?\/)+/, ""));
      const files = readTree({ context, url, headers }, ref, below);
      const texts = mapInOrder(files, filesAtOnce, async (file) => {
        if (file.size > maxRepositoryFileBytes || !mayBeText(file.path)) return undefined;
        const document = {
          fileName: file.path,
          id: file.path,
          version: file.sha,
          link: buildFileLink({ baseUrl, repository, ref, path: file.path }),
          metadata: { repository, path: file.path },
        };
        if (context.skip?.(document)) return { ...document, text: [] };
        const response = await context.fetch(`${url}/git/blobs/${file.sha}`, { headers: raw });
        const text = decodeFile(await response.bytes());
        return text === undefined ? undefined : { ...document, text: [text] };
      });
      for await (const document of texts) if (document) yield document;
    },
  });
