/** Joins texts to one, each set off by a blank line; those without words are left out. */
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
