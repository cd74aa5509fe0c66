/** A file that cannot be indexed; the message completes "The file …". */
export class FileRefused extends Error {
  override readonly name = "FileRefused";
}
