// The evaluation of expressions is written for Node, and uses two of its globals.
const encoder = new TextEncoder();

Object.assign(globalThis, {
  Buffer: { byteLength: (text: string) => encoder.encode(text).length },
  setImmediate: (task: () => void) => setTimeout(task, 0),
  clearImmediate: (timer: number) => clearTimeout(timer),
});
