export interface HostileMessage {
  name: string;
  /** Created on demand, because all messages together do not fit into memory. */
  raw(this: void): Buffer;
  /** The required outcome, if only one is right. */
  expected?: 'stored' | 'quarantined';
  /** The values that a reader must see, if the message tests them. */
  seen?: Partial<{ subject: string; snippet: string; from: string; filename: string; date: string; to: number }>;
}

export type HostileMaker = () => HostileMessage;

const DATE = 'Tue, 3 Mar 2026 10:00:00 +0000';

/** A message with a sound header around the fields given; a field given as undefined is left out. */
export function compose(fields: Record<string, string | undefined>, body: string | Buffer = 'Hello.\r\n'): Buffer {
  const all: Record<string, string | undefined> = {
    From: 'Ann <ann@x.example>',
    To: 'bob@y.example',
    Subject: 'Odd',
    Date: DATE,
    ...fields,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]));
  return Buffer.concat([Buffer.from(`${lines.join('')}\r\n`, 'utf8'), Buffer.from(body as string)]);
}

export const bytes = (...values: number[]) => Buffer.from(values);
