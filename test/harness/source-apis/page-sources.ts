import { jiraCloud } from "./jira-api.ts";
import { type SourceApi, startSourceServer } from "./source-server.ts";

const readme = "Hello World!\n";
const repository = "/repos/octocat/Hello-World";

/** The part of GitHub's API that the pages call. */
const github: SourceApi = ({ path }) => {
  switch (path) {
    case "/repos/nodejs/node":
      return { body: { full_name: "nodejs/node", private: false } };
    case repository:
      return { body: { full_name: "octocat/Hello-World", default_branch: "master" } };
    case `${repository}/git/trees/master`:
      return {
        body: {
          sha: "7fd1a60",
          truncated: false,
          tree: [
            { path: "README", mode: "100644", type: "blob", sha: "980a0d5", size: readme.length },
          ],
        },
      };
    case `${repository}/git/blobs/980a0d5`:
      return { headers: { "content-type": "application/vnd.github.raw+json" }, body: readme };
    default:
      return undefined;
  }
};

const jira = jiraCloud([
  { key: "DOCS-1", fields: { summary: "How to start", description: null }, comments: [] },
]);

/** Starts fakes of the services outside that the pages of docs call. `addresses` maps their URLs in pages. */
export const startPageSources = async () => {
  const [githubServer, jiraServer] = await Promise.all([
    startSourceServer(github),
    startSourceServer(jira),
  ]);
  return {
    addresses: {
      "https://api.github.com": githubServer.url,
      "https://example.atlassian.net": jiraServer.url,
    },
    settings: { SOURCE_URL_GITHUB: githubServer.url },
    close: async () => {
      await Promise.all([githubServer.close(), jiraServer.close()]);
    },
  };
};
