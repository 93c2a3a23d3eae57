import PostalMime, { type Address } from 'postal-mime';
import { flat, level, person, type Reading } from './two-parsers.ts';

/** The reading of postal-mime, in the form of the other two readings. */
export async function postal(raw: Buffer): Promise<Reading | string> {
  try {
    const mail = await PostalMime.parse(raw);
    const date = new Date(mail.date ?? '');
    return {
      subject: flat(mail.subject ?? ''),
      from: mail.from ? people([mail.from]) : [],
      to: people(mail.to ?? []),
      date: Number.isNaN(date.getTime()) ? '' : date.toISOString(),
      text: level(mail.text ?? ''),
      attachments: mail.attachments.map(
        ({ filename, mimeType, content }) =>
          `${filename ?? ''} ${mimeType} ${Buffer.from(content as ArrayBuffer).length}`,
      ),
    };
  } catch (error) {
    return (error as Error).message;
  }
}

const people = (addresses: readonly Address[]): string[] =>
  addresses.flatMap((entry) => entry.group ?? [entry]).map(({ address, name }) => person(address ?? '', name));
