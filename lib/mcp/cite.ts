import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Citation } from "../executions/schemas.ts";

/** First revision of the protocol with links to resources in results. */
const firstWithLinks = "2025-06-18";
/** The revision of clients that send no `MCP-Protocol-Version`. */
const defaultVersion = "2025-03-26";
const maxDescription = 500;

/** Returns whether clients of a revision of the protocol understand links to resources. */
export const readsResourceLinks = (version = defaultVersion): boolean => version >= firstWithLinks;

type Cited = { links: CallToolResult["content"]; meta: CallToolResult["_meta"] };

/**
 * Maps the citations of an execution to a tool's result: a link for each document on the web, with its first passage as
 * description, and all passages in `_meta.citations`.
 */
export const cite = (citations: readonly Citation[], hasLinks: boolean): Cited => {
  if (citations.length === 0) return { links: [], meta: undefined };
  const byLink = new Map<string, Citation>();
  for (const citation of hasLinks ? citations : []) {
    const { link } = citation;
    if (link !== null && /^https?:\/\//i.test(link) && !byLink.has(link)) {
      byLink.set(link, citation);
    }
  }
  const links = [...byLink].map(([uri, { documentName, text }]) => ({
    type: "resource_link" as const,
    uri,
    name: documentName,
    description: text.slice(0, maxDescription).toWellFormed(),
  }));
  return { links, meta: { citations: [...citations] } };
};
