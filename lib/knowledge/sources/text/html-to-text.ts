import { createHtmlHandler } from "./html-handler.ts";
import { createHtmlReader } from "./html-reader.ts";
import { createTextWriter } from "./text-writer.ts";

/** The text of HTML as a reader sees it. Never fails, whatever the string holds. */
export function htmlToText(html: string): string {
  const writer = createTextWriter();
  const reader = createHtmlReader(createHtmlHandler(writer));
  reader.write(html);
  reader.end();
  return writer.take();
}

/** The same for HTML that comes in pieces; none of it is kept. */
export async function* streamHtmlText(html: AsyncIterable<string>): AsyncGenerator<string> {
  const writer = createTextWriter();
  const reader = createHtmlReader(createHtmlHandler(writer));
  for await (const piece of html) {
    reader.write(piece);
    yield writer.take();
  }
  reader.end();
  yield writer.take();
}
