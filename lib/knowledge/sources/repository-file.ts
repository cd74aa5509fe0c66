/** Files of a repository that are larger are data rather than text; in bytes. */
export const longestRepositoryFile = 2 * 1024 * 1024;

const binaryNames =
  /\.(?:7z|a|aab|aac|apk|avi|avif|bin|bmp|br|bz2|class|crx|dat|db|deb|dll|dmg|doc|docx|dylib|ear|eot|epub|exe|flac|gif|gz|heic|ico|icns|iso|jar|jks|jpe?g|keystore|lib|m4a|m4v|mkv|mo|mov|mp3|mp4|mpe?g|msi|nupkg|o|obj|odp|ods|odt|ogg|otf|p12|parquet|pdf|pfx|pkl|png|ppt|pptx|psd|pyc|pyd|rar|rpm|snap|so|sqlite3?|tar|tgz|tiff?|ttf|wasm|wav|webm|webp|whl|woff2?|xls|xlsx|xz|zip|zst)$/i;
/** Written by tools, and of no use to a reader. */
const generatedNames =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|composer\.lock|Gemfile\.lock|Cargo\.lock|poetry\.lock|Pipfile\.lock|pdm\.lock|uv\.lock|go\.sum|flake\.lock|mix\.lock|pubspec\.lock|Podfile\.lock|packages\.lock\.json|gradle\.lockfile)$|\.(?:min\.(?:js|css)|map)$/i;

/** Whether a file may hold text that somebody wrote, as far as its name tells. */
export const mayBeText = (path: string): boolean =>
  !binaryNames.test(path) && !generatedNames.test(path);

/** How much of a file Git looks at to tell whether it is binary (buffer_is_binary in git's xdiff-interface.c). */
const lookedAt = 8_000;

/** The text of a file; undefined for a binary one, in which, as Git sees it, there is a NUL near the start. */
export const textOf = (bytes: Uint8Array): string | undefined =>
  bytes.subarray(0, lookedAt).includes(0) ? undefined : new TextDecoder().decode(bytes);
