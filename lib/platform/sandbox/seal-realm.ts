/**
 * Forbids new properties on the prototypes that all values share, so that nothing that a task does to one is seen by
 * the next. Existing methods stay writable: packages override them on their own objects.
 */
export const sealRealm = (): void => {
  for (const prototype of shared) Object.preventExtensions(prototype);
};

const shared: readonly object[] = [
  Object.prototype,
  Array.prototype,
  Function.prototype,
  String.prototype,
  Number.prototype,
  Boolean.prototype,
  RegExp.prototype,
  Date.prototype,
  Error.prototype,
  Promise.prototype,
];
