import { createElement, Fragment, type ReactNode, useMemo } from "react";
import classes from "./markdown.module.css";
import { type MarkdownNode, parseMarkdown } from "./markdown-tree.ts";

/** Shows Markdown that a model wrote: without its HTML and images, and with links that open another window. */
export const MarkdownView = ({ text }: { text: string }) => {
  const nodes = useMemo(() => parseMarkdown(text), [text]);
  return nodes ? <div className={classes.markdown}>{toElements(nodes)}</div> : text;
};

const toElements = (nodes: readonly MarkdownNode[]): ReactNode[] =>
  nodes.map((node, index) => (
    <Fragment key={index}>{typeof node === "string" ? node : toElement(node)}</Fragment>
  ));

const toElement = ({ tag, children, ...facts }: Exclude<MarkdownNode, string>): ReactNode => {
  const { href, start, isHeading } = facts;
  const attributes = {
    ...(href !== undefined && { href, target: "_blank", rel: "noopener noreferrer nofollow" }),
    ...(start !== undefined && { start }),
    ...(isHeading && { "data-heading": true }),
  };
  return children.length === 0
    ? createElement(tag, attributes)
    : createElement(tag, attributes, ...toElements(children));
};
