/** Invalid front matter; `line` is the line number in the file, from 1. */
export class FrontMatterError extends Error {
  override readonly name = "FrontMatterError";
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}
