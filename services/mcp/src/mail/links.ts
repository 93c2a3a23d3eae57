const END = String.raw`[^\s<>"'\u0060)\]}]*`;
const WITH_SCHEME = String.raw`\b[a-z][a-z0-9+.-]{1,20}:\/\/${END}`;
const WITHOUT_HOST = String.raw`\b(?:mailto|tel|sms|data|javascript|vbscript|blob|file|cid):${END}`;
const WITHOUT_SCHEME = String.raw`(?<![\w/:])\/\/[\p{L}\p{N}]${END}|\bwww\.${END}`;
/** Some clients make a link of a host with a path. A host alone is text like any other. */
const BARE = String.raw`(?<![\p{L}\p{N}@.\/-])(?:[\p{L}\p{N}-]{1,63}\.){1,10}\p{L}{2,24}(?::\d{1,5})?\/${END}`;
const LINK = new RegExp(`${WITH_SCHEME}|${WITHOUT_HOST}|${WITHOUT_SCHEME}|${BARE}`, 'giu');

/** Puts the host in the place of each address, in a form that no client makes a link of. */
export function nameLinks(text: string): string {
  return text.replace(LINK, linkName);
}

export function linkName(target: string): string {
  const host = hostOf(target.trim());
  return host === '' ? '[link]' : `[link: ${host}]`;
}

function hostOf(target: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\/\/)/i.exec(target)?.[1]?.toLowerCase();
  // The address of a mail is no place where a click leads to.
  if (scheme === 'mailto') return target.slice(7).split('?', 1).join('').slice(0, 320);
  if (scheme !== undefined) return '';
  const address = /^[a-z][a-z0-9+.-]*:/i.test(target) ? target : `http://${target.replace(/^\/+/, '')}`;
  try {
    // Of other schemes than those of the web, the parser leaves the host as it is written.
    const { hostname } = new URL(address.replace(/^[a-z][a-z0-9+.-]*:/i, 'http:'));
    return hostname.replace(/^www\./, '');
  } catch {
    return '';
  }
}
