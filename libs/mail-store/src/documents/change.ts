/** One change of a workspace, under its number. Its id is that of the event that announced it. */
export interface ChangeDocument {
  _id: string;
  workspaceId: string;
  /** From 1, without a gap. */
  seq: number;
  event: string;
  data: Record<string, unknown>;
  /** The facts that the change states, such as whether an email is read; empty where it states none that can change. */
  aspects: string[];
  /** The time of the event. */
  createdAt: Date;
  /** Absent from the newest change of a workspace that has had none for longer than changes are kept. */
  appendedAt?: Date;
}
