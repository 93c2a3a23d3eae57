/** Nothing may be read between parentheses: a sender can write there what he likes. */
const COMMENT = /\([^()]*\)/g;
const DEEPEST = 5;
const DMARC = /;\s*dmarc\s*=\s*([a-z]+)/gi;
/** The domain asks for nothing, or nobody could be asked: that is no failure. */
const NOT_FAILED = new Set(['pass', 'bestguesspass', 'none']);

/**
 * Whether the receiving server says that a message fails DMARC. The topmost field is its own (RFC 8601), and those of
 * the same name with it; a sender who puts some of his own there can make it worse and never better.
 */
export function failsDmarc(fields: readonly string[]): boolean {
  const [own] = fields;
  if (own === undefined) return false;
  const server = serverOf(own);
  return fields
    .filter((field) => serverOf(field) === server)
    .some((field) => [...withoutComments(field).matchAll(DMARC)].some(([, said = '']) => isFailure(said)));
}

function isFailure(said: string): boolean {
  return !NOT_FAILED.has(said.toLowerCase());
}

function serverOf(field: string): string {
  return withoutComments(field).split(';', 1).join('').trim().split(/\s/, 1).join('').toLowerCase();
}

function withoutComments(field: string): string {
  let bare = field;
  for (let depth = 0; depth < DEEPEST && bare.includes('('); depth++) bare = bare.replace(COMMENT, ' ');
  return bare;
}
