/** Ids of nodes are the caller's own; they only have to differ within a tree. */
export const newId = (): string => crypto.randomUUID();
