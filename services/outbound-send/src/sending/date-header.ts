import type { SendDocument } from '@postroom/mail-store/documents/send';
import { change, type SendDeps } from './send-deps.ts';

/** A message of this age has not waited: it is left as it was made. */
const FRESH_MS = 5_000;
const FIELD = /^Date: ([^\r\n]*)/m;
const END = '\r\n\r\n';

/** The Date of a message that waited is the moment at which it leaves. Deferred recipients get the bytes of the others. */
export async function withCurrentDate(send: SendDocument, deps: SendDeps): Promise<SendDocument> {
  const { kind, wire, kept } = send;
  const now = deps.context.clock.date();
  if (kind === 'remainder' || !wire || now.getTime() - dateOf(wire) < FRESH_MS) return send;
  return change(send, { wire: withDate(wire, now), kept: kept && withDate(kept, now) }, deps);
}

function dateOf(message: Buffer): number {
  const said = Date.parse(FIELD.exec(headerOf(message))?.[1] ?? '');
  return Number.isNaN(said) ? Infinity : said;
}

function withDate(message: Buffer, date: Date): Buffer {
  const header = headerOf(message);
  const dated = header.replace(FIELD, `Date: ${date.toUTCString().replace(/GMT/, '+0000')}`);
  return Buffer.concat([Buffer.from(dated, 'latin1'), message.subarray(header.length)]);
}

function headerOf(message: Buffer): string {
  const end = message.indexOf(END);
  return message.toString('latin1', 0, end === -1 ? message.length : end);
}
