/** Mail that the product has sent, by its envelope. */
interface Caught {
  from: string;
  to: string[];
  raw: Buffer;
}

export interface CaughtMail {
  add(mail: Caught): void;
  /** The newest last; the oldest are forgotten where there is no room for all. */
  list(): readonly (Caught & { id: string })[];
}

const MOST_MAILS = 1_000;
const MOST_BYTES = 64 * 1024 * 1024;

export function createOutbox({ mails = MOST_MAILS, bytes = MOST_BYTES } = {}): CaughtMail {
  const caught: (Caught & { id: string })[] = [];
  let size = 0;
  let number = 0;
  return {
    add: (mail) => {
      caught.push({ id: String(++number), ...mail });
      size += mail.raw.length;
      while (caught.length > mails || size > bytes) size -= caught.shift()?.raw.length ?? size;
    },
    list: () => caught,
  };
}
