/** Joins texts with blank lines; skips blank ones. */
export async function* paragraphs(
  texts: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  let isFirst = true;
  for await (const text of texts) {
    if (text.trim() === "") continue;
    yield isFirst ? text : `\n\n${text}`;
    isFirst = false;
  }
}
