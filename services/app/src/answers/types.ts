export type OneOf<List extends readonly string[]> = List[number];
/** ISO 8601 in UTC. */
export type DateTime = string;
