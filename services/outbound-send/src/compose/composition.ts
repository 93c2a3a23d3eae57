export interface NamedAddress {
  email: string;
  name: string | null;
}

/** A message before it is bytes. Every address, id and header in it was checked or made by us. */
export interface Composition {
  messageId: string;
  /** The send that it is; none of a draft for a person, who may send it in another way. */
  operation?: string | undefined;
  date: Date;
  from: NamedAddress;
  to: readonly NamedAddress[];
  cc: readonly NamedAddress[];
  bcc: readonly NamedAddress[];
  replyTo?: NamedAddress | undefined;
  subject: string;
  inReplyTo: string | null;
  references: string[];
  html: string | null;
  text: string | null;
  headers?: Readonly<Record<string, string>> | undefined;
}
