/** Larger files of a repository, in bytes, are skipped as data. */
export const maxRepositoryFileBytes = 2 * 1024 * 1024;

const binaryNames =
  /\.(?:7z|a|aab|aac|apk|avi|avif|bin|bmp|br|bz2|class|crx|dat|db|deb|dll|dmg|doc|docx|dylib|ear|eot|epub|exe|flac|gif|gz|heic|ico|icns|iso|jar|jks|jpe?g|keystore|lib|m4a|m4v|mkv|mo|mov|mp3|mp4|mpe?g|msi|nupkg|o|obj|odp|ods|odt|ogg|otf|p12|parquet|pdf|pfx|pkl|png|ppt|pptx|psd|pyc|pyd|rar|rpm|snap|so|sqlite3?|tar|tgz|tiff?|ttf|wasm|wav|webm|webp|whl|woff2?|xls|xlsx|xz|zip|zst)$/i;
/** Lock files, minified files and source maps. */
const generatedNames =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|composer\.lock|Gemfile\.lock|Cargo\.lock|poetry\.lock|Pipfile\.lock|pdm\.lock|uv\.lock|go\.sum|flake\.lock|mix\.lock|pubspec\.lock|Podfile\.lock|packages\.lock\.json|gradle\.lockfile)$|\.(?:min\.(?:js|css)|map)$/i;

/** Returns whether a file may be text, judged by its name. */
export const mayBeText = (path: string): boolean =>
  !binaryNames.test(path) && !generatedNames.test(path);

/** Bytes in which Git looks for a NUL to recognize a binary file (buffer_is_binary in git's xdiff-interface.c). */
const sniffedBytes = 8_000;

/** Decodes a file; undefined for a binary one, by Git's rule. */
export const decodeFile = (bytes: Uint8Array): string | undefined =>
  bytes.subarray(0, sniffedBytes).includes(0) ? undefined : new TextDecoder().decode(bytes);
