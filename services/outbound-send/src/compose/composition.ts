export interface Address {
  email: string;
  name: string | null;
}

/** A message before it is bytes. Every address, id and header in it was checked or made by us. */
export interface Composition {
  messageId: string;
  /** The send that it is; none of a draft for a person, who may send it in another way. */
  operation?: string | undefined;
  date: Date;
  from: Address;
  to: readonly Address[];
  cc: readonly Address[];
  bcc: readonly Address[];
  replyTo?: Address | undefined;
  subject: string;
  inReplyTo: string | null;
  references: string[];
  html: string | null;
  text: string | null;
  headers?: Readonly<Record<string, string>> | undefined;
}
