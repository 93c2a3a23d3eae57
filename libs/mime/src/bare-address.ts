/** What neither stands in an address outside of quotes nor ends one. */
const RUN = /[^\s"<>()]+/g;
const NOT_IN_DOMAIN = /[@,;]/;

/** The first address within a text, or null. Each character is looked at a few times, however many "@" there are. */
export function findAddress(text: string): string | null {
  if (!text.includes('@')) return null;
  for (const match of text.matchAll(RUN)) {
    const [run] = match;
    const at = lastAt(run);
    if (at === -1) continue;
    const domain = domainOf(run.slice(at + 1));
    if (at > 0) return `${run.slice(0, at)}@${domain}`;
    const quoted = quotedBefore(text, match.index);
    if (quoted !== null) return `${quoted}@${domain}`;
  }
  return null;
}

/** The last "@" that a domain follows. */
function lastAt(run: string): number {
  let at = run.lastIndexOf('@');
  while (at > 0 && !hasDomain(run, at)) at = run.lastIndexOf('@', at - 1);
  return at !== -1 && hasDomain(run, at) ? at : -1;
}

function hasDomain(run: string, at: number): boolean {
  const next = run[at + 1];
  return next !== undefined && !NOT_IN_DOMAIN.test(next);
}

function domainOf(rest: string): string {
  const literal = rest.startsWith('[') ? rest.indexOf(']') : -1;
  return literal > 0 ? rest.slice(0, literal + 1) : (rest.split(NOT_IN_DOMAIN, 1)[0] as string);
}

/** A quoted local part that ends right here. */
function quotedBefore(text: string, end: number): string | null {
  if (text[end - 1] !== '"') return null;
  let open = text.lastIndexOf('"', end - 2);
  while (open > 0 && text[open - 1] === '\\') open = text.lastIndexOf('"', open - 1);
  return open < 0 ? null : text.slice(open, end);
}
