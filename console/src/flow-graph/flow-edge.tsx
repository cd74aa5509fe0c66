import {
  BaseEdge,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  getBezierPath,
} from "@xyflow/react";
import { memo } from "react";
import { useGraphEditing } from "./editing.ts";
import classes from "./flow-graph.module.css";

/** A connection in the graph. */
export type FlowEdgeType = Edge<
  { on: "error" | undefined; handle: string | undefined; text: string | undefined },
  "flow"
>;

/** Draws a connection with its condition, and a button that puts a step into it. */
export const FlowEdge = memo((props: EdgeProps<FlowEdgeType>) => {
  const { id, source, target, data, style = {}, markerEnd } = props;
  const editing = useGraphEditing();
  const [path, x, y] = getBezierPath(props);
  const text = data?.text;
  return (
    <>
      <BaseEdge id={id} path={path} style={style} {...(markerEnd && { markerEnd })} />
      {(text || editing) && (
        <EdgeLabelRenderer>
          <div
            className={`${classes.label} nodrag nopan`}
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
          >
            {text && <span className={classes.labelText}>{text}</span>}
            {editing && (
              <button
                type="button"
                tabIndex={-1}
                className={classes.plus}
                aria-label={`Insert a step between ${source} and ${target}`}
                onClick={() =>
                  editing.insert({
                    type: "between",
                    connected: {
                      ...{ source, target, handle: data?.handle },
                      ...(data?.on && { on: data.on }),
                    },
                  })
                }
              >
                +
              </button>
            )}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
});
