export const ACTOR_KINDS = ['person', 'key', 'operator', 'rule', 'client'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** The one who asks for a change. A client is one that acts by a person's grant. */
export interface Actor {
  kind: ActorKind;
  id: string;
  name: string;
  /** The network address that the request came from; empty where it is unknown. */
  address: string;
}
