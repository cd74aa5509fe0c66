import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { findOrMake } from "../../infra/local/prepare/kept-folders.ts";

const root = join(import.meta.dirname, "../../dist/local");

/** Quiet, and without requests of its own. */
const args = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-gpu",
  "--font-render-hinting=none",
];

const fontsFile = "fonts.conf";

/** Uses the fonts of the package, and those of the system where it has some. */
const fontsConfig = (directory: string): string =>
  `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${directory}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${directory}/fonts-cache</cachedir>
</fontconfig>
`;

/**
 * Unpacks Chromium from its npm package, once, with the libraries that a machine with nothing but Node lacks.
 * Returns its directory.
 */
const unpackChromium = (): Promise<string> =>
  findOrMake({ root, kind: "chromium", hash: "153" }, async (directory) => {
    const previous = process.env.TMPDIR;
    process.env.TMPDIR = directory;
    process.env.AWS_LAMBDA_JS_RUNTIME = "nodejs24.x";
    try {
      const { default: packed } = await import("@sparticuz/chromium");
      await packed.executablePath();
      writeFileSync(join(directory, fontsFile), fontsConfig(directory));
    } finally {
      delete process.env.AWS_LAMBDA_JS_RUNTIME;
      if (previous === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = previous;
    }
  });

/** Starts the browser. Its fonts, and where needed its libraries, come from the package. */
export const startBrowser = async (): Promise<Browser> => {
  const directory = await unpackChromium();
  const executablePath = join(directory, "chromium");
  const plain = { ...process.env, FONTCONFIG_FILE: join(directory, fontsFile) };
  const runs = spawnSync(executablePath, ["--version"], { env: plain }).status === 0;
  const env = runs ? plain : { ...plain, LD_LIBRARY_PATH: join(directory, "al2023", "lib") };
  return chromium.launch({ executablePath, args, env: withoutUndefined(env) });
};

const withoutUndefined = (
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
