import type { Charge } from "./charge.ts";
import { createHtmlHandler } from "./html-handler.ts";
import { createHtmlReader, writeCharged } from "./html-reader.ts";
import { createTextWriter } from "./text-writer.ts";

/** Converts HTML to text. Throws only what `charge` throws. */
export const htmlToText = (html: string, charge: Charge): string => {
  const writer = createTextWriter();
  const reader = createHtmlReader(createHtmlHandler(writer));
  writeCharged(reader, html, charge);
  reader.end();
  return writer.take();
};

/** Converts streamed HTML to text, without keeping any of it. */
export async function* streamHtmlText(
  html: AsyncIterable<string>,
  charge: Charge,
): AsyncGenerator<string> {
  const writer = createTextWriter();
  const reader = createHtmlReader(createHtmlHandler(writer));
  for await (const piece of html) {
    writeCharged(reader, piece, charge);
    yield writer.take();
  }
  reader.end();
  yield writer.take();
}
