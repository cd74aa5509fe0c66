import { expect, test } from "vitest";
import { readDocText } from "../../console/src/docs/doc-text.ts";

const base = "https://wharf.example.com/console/t/demo/docs/";

test("a page of the documentation has a title, whole paragraphs, and links that the console can follow", () => {
  const markdown = `# Webhooks

A webhook is [signed](webhook-providers.md#slack) by
its sender, see [RFC](https://example.com/rfc) and [the rows](../functions/webhooks/routes.ts).

- one
- two

\`\`\`sh
first
second
\`\`\`

| A | B |
| - | - |
| 1 | 2 |

![Flow](images/flow.png)
`;
  expect(readDocText(markdown, base)).toEqual({
    title: "Webhooks",
    text: `
A webhook is [signed](${base}webhook-providers) by its sender, see [RFC](https://example.com/rfc) and the rows.

- one
- two

\`\`\`sh
first
second
\`\`\`

| A | B |
| - | - |
| 1 | 2 |


`,
  });
});
