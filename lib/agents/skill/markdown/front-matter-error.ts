/** Front matter that can't be read; `line` is its number in the file, from 1. */
export class FrontMatterError extends Error {
  override readonly name = "FrontMatterError";
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}
