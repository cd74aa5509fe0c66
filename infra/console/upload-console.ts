import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { builtConsole } from "./build-console.ts";
import { contentTypes } from "./console-headers.ts";

/** Where the console is deployed to, and the content of its `config.json`. */
export type ConsoleTarget = { bucket: string; config: string };

type SiteFile = { key: string; body: Buffer | string };

const assetPrefix = "console/assets/";

/** Lists the files of the built console; its page comes last, so that it never names assets that do not exist yet. */
const listSiteFiles = ({ config }: ConsoleTarget): SiteFile[] => {
  const files = readdirSync(builtConsole, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      key: `console/${relative(builtConsole, path).replaceAll("\\", "/")}`,
      body: readFileSync(path),
    }));
  const isPage = ({ key }: SiteFile): boolean => key === "console/index.html";
  return [
    ...files.filter((file) => !isPage(file)),
    { key: "console/config.json", body: config },
    ...files.filter(isPage),
  ];
};

/** Uploads the built console. Assets are cached for a year, everything else is not. */
export const uploadConsole = async (target: ConsoleTarget): Promise<void> => {
  const client = new S3Client({});
  try {
    for (const { key, body } of listSiteFiles(target)) {
      await client.send(
        new PutObjectCommand({
          Bucket: target.bucket,
          Key: key,
          Body: body,
          ContentType: contentTypes[extname(key)] ?? "application/octet-stream",
          CacheControl: key.startsWith(assetPrefix)
            ? "public, max-age=31536000, immutable"
            : "no-store",
        }),
      );
    }
  } finally {
    client.destroy();
  }
};
