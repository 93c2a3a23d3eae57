interface Composed {
  /** Header lines about the message: sender, recipients, subject. */
  message: string[];
  /** Header lines about the encoding of the body. */
  content: string[];
  body: Buffer;
}

const END = '\r\n\r\n';

/** A message that was composed here, in the pieces of which another is made. */
export function splitComposed(bytes: Buffer): Composed {
  const end = bytes.indexOf(END);
  const header = bytes.toString('latin1', 0, end === -1 ? bytes.length : end);
  const fields = header.split(/\r\n(?![ \t])/);
  return {
    message: fields.filter((field) => !isContent(field)),
    content: fields.filter(isContent),
    body: end === -1 ? Buffer.alloc(0) : bytes.subarray(end + END.length),
  };
}

const isContent = (field: string): boolean => /^content-/i.test(field);
