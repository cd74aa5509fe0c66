import { Anchor, Group, Paper, Text } from "@mantine/core";
import type { Passage } from "../../../client/openapi.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { isWebLink } from "../shared/is-web-link.ts";
import classes from "./search-tab.module.css";

/** The passages that a search found, the best first. */
export const SearchResults = ({ passages }: { passages: readonly Passage[] }) =>
  passages.length === 0 ? (
    <EmptyState title="Nothing found">
      No passage matches. Try other words, or check that the documents are indexed.
    </EmptyState>
  ) : (
    <ol className={classes.results} aria-label="Passages">
      {passages.map((passage) => (
        <li key={`${passage.documentId} ${passage.chunk}`}>
          <PassageCard passage={passage} />
        </li>
      ))}
    </ol>
  );

/** Divides a passage that begins with a heading in Markdown from it. */
const withoutHeading = (text: string): { heading?: string; body: string } => {
  const end = text.indexOf("\n");
  if (end === -1 || !/^#{1,6} /.test(text)) return { body: text };
  return { heading: text.slice(text.indexOf(" "), end).trim(), body: text.slice(end).trim() };
};

const PassageCard = ({ passage }: { passage: Passage }) => {
  const { documentName, chunk, link, score, text } = passage;
  const { heading, body } = withoutHeading(text);
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" gap="xs" mb={4} align="flex-start">
        <Text fw={600} style={{ overflowWrap: "anywhere" }} flex="1 1 200px" miw={0}>
          {isWebLink(link) ? (
            <Anchor href={link} target="_blank" rel="noreferrer">
              {documentName}
            </Anchor>
          ) : (
            documentName
          )}
        </Text>
        <Text size="sm" c="dimmed">
          Chunk {chunk + 1} · Score {score.toFixed(2)}
        </Text>
      </Group>
      {heading !== undefined && (
        <Text size="sm" fw={600} className={classes.text ?? ""}>
          {heading}
        </Text>
      )}
      <Text size="sm" className={classes.text ?? ""}>
        {body}
      </Text>
    </Paper>
  );
};
